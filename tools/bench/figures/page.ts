import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Figure, measureRate } from '../bench-context';
import { contest } from '../contest';
import { findNginx, startNginx } from '../reference/nginx';
import { whole } from '../report/format';
import { openBenchSale } from '../stack/sales';

const TARGET = 0.75;

/** Measures views of the sale's page per second, against nginx serving the same bytes from a file. */
export const measurePage: Figure = async (context) => {
  const { port } = context.product;
  const { slug } = await openBenchSale(100);
  const path = `/sales/${slug}`;
  const page = await view(`http://127.0.0.1:${port}${path}`);
  const found = findNginx();
  if (!found) throw new Error('nginx is not installed on this machine');
  const nginx = await startNginx(context, found.binary, page);
  const viewing = (at: number, what: string) => async () => {
    const request = `GET ${what} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n\r\n`;
    const source = { kind: 'repeat', request } as const;
    return (await measureRate(context, { port: at, source, expected: 200 })).perSecond;
  };
  return contest(context, { 'fast path': viewing(port, path), nginx: viewing(nginx, '/page.html') }, [
    {
      figure: `page views/s, fast path : nginx, one worker; ${whole(page.length / 1024)} KiB of gzip`,
      ours: 'fast path',
      theirs: 'nginx',
      target: { atLeast: TARGET },
    },
  ]);
};

/** Fetches the page as it is sent. The first view renders the page; later views get the kept copy. */
async function view(url: string): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  for (let time = 0; time < 3; time += 1) {
    bytes = await new Promise<Buffer>((resolve, reject) => {
      get(url, { agent: false, headers: { 'accept-encoding': 'gzip' } }, (response) => {
        if (response.statusCode === 200) buffer(response).then(resolve, reject);
        else reject(new Error(`${url} answered ${response.statusCode}`));
      }).once('error', reject);
    });
  }
  return bytes;
}
