import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { findNginx, startNginx } from '../reference/nginx';
import { ratioText, whole } from '../report/format';
import { atLeast, type FigureReport } from '../report/types';
import { dropBenchSale, openBenchSale } from '../stack/sales';
import { median, ratioOfMedians } from '../stats';

const TARGET = 0.75;
const FIGURE = 'page views/s, fast lane : nginx, one worker';
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n`;

/** Views of the sale's page per second, against nginx serving the same bytes from a file. */
export async function measurePage(context: BenchContext): Promise<FigureReport> {
  const { product, servers } = context;
  const sale = await openBenchSale(100);
  const path = `/sales/${sale.slug}`;
  const bytes = await warmPage(`http://127.0.0.1:${product.lane.port}${path}`);
  const found = findNginx();
  const nginx = found && (await startNginx(found.binary, servers.dir, bytes, servers.watch));
  const busy: number[] = [];
  const contestant = (name: string, port: number, target: string) => ({
    name,
    run: async () => {
      const rate = await measureRate(context, port, { kind: 'repeat', request: get(target) }, 200);
      busy.push(rate.result.busy);
      return rate.perSecond;
    },
  });
  try {
    const samples = await alternate(context.rounds, [
      contestant('lane', product.lane.port, path),
      ...(nginx ? [contestant('nginx', nginx.port, '/page.html')] : []),
    ]);
    const [lane, other] = [samples.lane ?? [], samples.nginx ?? []];
    const size = `${whole(bytes.length / 1024)} KiB of HTML, uncompressed`;
    if (!nginx) {
      return {
        name: 'page',
        samples,
        rows: [
          {
            figure: FIGURE,
            measured: `${whole(median(lane))} : –`,
            result: '–',
            target: `≥ ${TARGET.toFixed(2)}`,
            verdict: 'not measured',
          },
        ],
        notes: [`${size}. nginx is not installed on this machine.`],
      };
    }
    const ratio = ratioOfMedians(lane, other);
    return {
      name: 'page',
      samples,
      rows: [
        {
          figure: FIGURE,
          measured: `${whole(median(lane))} : ${whole(median(other))}`,
          result: ratioText(ratio),
          target: `≥ ${TARGET.toFixed(2)}`,
          verdict: atLeast(ratio, TARGET),
        },
      ],
      notes: [`${size}.`, ...generatorNote(busy)],
    };
  } finally {
    nginx?.stop();
    await dropBenchSale(sale);
  }
}

/** The first view renders the page; what is kept is what the next ones get. */
async function warmPage(url: string): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  for (let view = 0; view < 3; view += 1) {
    const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
    bytes = Buffer.from(await response.arrayBuffer());
  }
  return bytes;
}
