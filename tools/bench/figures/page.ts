import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { findNginx, startNginx } from '../reference/nginx';
import { whole } from '../report/format';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport, Row } from '../report/types';
import { dropBenchSale, openBenchSale } from '../stack/sales';
import { median } from '../stats';

const TARGET = 0.75;
/** `gzip`, which every browser asks for, and the uncompressed bytes. */
const ENCODINGS = ['gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Measures views of the sale's page per second, against nginx serving the same bytes from files. */
export async function measurePage(context: BenchContext): Promise<FigureReport> {
  const { product, servers } = context;
  const sale = await openBenchSale(100);
  const path = `/sales/${sale.slug}`;
  const url = `http://127.0.0.1:${product.fastPath.port}${path}`;
  const sizes = { gzip: await view(url, 'gzip'), identity: await view(url, 'identity') };
  const found = findNginx();
  const files = { bytes: sizes.identity, gzipped: sizes.gzip };
  const nginx = found && (await startNginx(found.binary, servers.dir, files, servers.watch));
  const busy: number[] = [];
  const contestant = (name: string, encoding: Encoding, port: number, target: string) => ({
    name: `${name} ${encoding}`,
    run: async () => {
      const source = { kind: 'repeat', request: request(target, encoding) } as const;
      const rate = await measureRate(context, port, source, 200);
      busy.push(rate.result.busy);
      return rate.perSecond;
    },
  });
  try {
    const samples = await alternate(
      context.rounds,
      ENCODINGS.flatMap((encoding) => [
        contestant('fast path', encoding, product.fastPath.port, path),
        ...(nginx ? [contestant('nginx', encoding, nginx.port, '/page.html')] : []),
      ]),
    );
    const row = (encoding: Encoding): Row => {
      const [fastPath, other] = [samples[`fast path ${encoding}`] ?? [], samples[`nginx ${encoding}`] ?? []];
      const kib = whole(sizes[encoding].length / 1024);
      const what = encoding === 'gzip' ? `${kib} KiB of gzip` : `uncompressed, ${kib} KiB`;
      const figure = `page views/s, fast path : nginx, one worker; ${what}`;
      if (nginx) return ratioRow({ figure, ours: fastPath, theirs: other, target: { atLeast: TARGET } });
      return {
        figure,
        measured: `${whole(median(fastPath))} : –`,
        result: '–',
        target: `≥ ${TARGET.toFixed(2)}`,
        verdict: 'not measured',
      };
    };
    const notes = nginx ? generatorNote(busy) : ['nginx is not installed on this machine.'];
    return { name: 'page', samples, rows: ENCODINGS.map(row), notes };
  } finally {
    nginx?.stop();
    await dropBenchSale(sale);
  }
}

const request = (path: string, encoding: Encoding): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nAccept-Encoding: ${encoding}\r\n\r\n`;

/** Fetches the page as it is sent. The first view renders the page; later views get the kept copy. */
async function view(url: string, encoding: Encoding): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  for (let time = 0; time < 3; time += 1) {
    bytes = await new Promise<Buffer>((resolve, reject) => {
      get(url, { agent: false, headers: { 'accept-encoding': encoding } }, (response) => {
        if (response.statusCode === 200) buffer(response).then(resolve, reject);
        else reject(new Error(`${url} answered ${response.statusCode}`));
      }).once('error', reject);
    });
  }
  return bytes;
}
