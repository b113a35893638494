import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { keepPublishing, publishNow } from '@/lib/purchase/testing/listed-now';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { keepFollowingSales } from '@/lib/sale/follow-sales';
import { SEED } from '@/test/support/random';
import { createWebServer, type WebServer } from './create-server';
import { requestText } from './testing/fuzz-requests';
import { rawGet } from './testing/raw-get';
import { sendPurchase, tokenFor } from './testing/send-purchase';
import { siteOf } from './testing/site-of';
import { standInForNext } from './testing/stand-in-next';

const REQUESTS = 20_000;
/** How many connections of a run are open at the same time. */
const CONNECTIONS_A_RUN = 40;
/** After this much silence the server is waiting for the rest of a request. */
const SILENCE_MS = 2_500;
/** The server closes after this request, unless it takes it for a part of what came before. */
const LAST = 'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
/** Every test run sends the same requests; another number gives other requests. */

let sale: SaleFixture;
let stopPublishing: () => Promise<void>;
let tokens: string[] = [];
const next = await standInForNext((request, response) => {
  request.resume();
  const isPage = request.url === '/' || request.url === '/missing';
  response.writeHead(isPage ? 200 : 404, {
    'content-type': 'text/html',
    'content-length': '2',
    ...(isPage ? { 'cache-control': 's-maxage=3600' } : {}),
  });
  response.end('ok');
});
/** Opens the same server twice: once with its own reader before node:http, once without. */
const open = (hasPlainHttp: boolean) =>
  createWebServer({
    next: next.forward,
    ask: (path) => next.call('GET', path, {}),
    site: siteOf(['/', '/orders/[orderNo]']),
    hasFastPath: true,
    hasPlainHttp,
    commonHeaders: ['X-Common', 'yes'],
  });
const [plain, http] = [open(true), open(false)];
const portOf = ({ server }: WebServer) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  // Sells the sale out first: no further request changes anything, so both servers can get the same ones.
  sale = await createSaleFixture({ total: 2, users: 4 });
  const other = await createSaleFixture({ total: 5, users: 1 });
  tokens = [
    ...sale.userIds.map((userId) => tokenFor(sale.saleId, userId)),
    tokenFor(sale.saleId, sale.userIds[0] ?? '', Date.now() - 1),
    tokenFor(other.saleId, other.userIds[0] ?? ''),
    '',
    '.',
    'x'.repeat(2_000),
    'a, b',
  ];
  for (const { server } of [plain, http])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await publishNow();
  keepFollowingSales();
  stopPublishing = keepPublishing();
  const origin = `http://127.0.0.1:${portOf(plain)}`;
  for (const token of tokens.slice(0, 2)) expect((await sendPurchase(origin, sale, token)).status).toBe(202);
  // Sends requests that are slow the first time before the comparison.
  for (const web of [plain, http]) {
    for (const path of ['/', '/orders/1', '/nowhere', '/zh-CN/nowhere', '/api/orders/1', '/livez'])
      await rawGet(`http://127.0.0.1:${portOf(web)}${path}`, { 'x-entry-token': tokens[0] ?? '' });
  }
});
afterAll(async () => {
  await stopPublishing();
  for (const web of [plain, http]) {
    web.closeAll();
    web.server.close();
  }
  next.close();
  await Promise.all([closeRedis(), closeDb()]);
});

/**
 * Sends bytes in pieces and returns all that comes back, until the server closes; or, when it waits for more, until
 * the test closes.
 */
function exchange(port: number, pieces: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    let text = '';
    const finish = setTimeout(() => socket.end(), SILENCE_MS);
    const giveUp = setTimeout(() => {
      text += '(never closed)';
      socket.destroy();
    }, 30_000);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
      finish.refresh();
    });
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(finish);
      clearTimeout(giveUp);
      resolve(text);
    });
    const send = (at: number) => {
      const piece = pieces[at];
      if (piece !== undefined && !socket.writableEnded)
        socket.write(piece, 'latin1', () => setImmediate(send, at + 1));
    };
    send(0);
  });
}

/**
 * Removes what differs between any two answers: the second, the request's id, the clock in a state, and whether the
 * answer was cached by then.
 */
const comparable = (answers: string) =>
  answers
    .replace(/^date: .*\r\n/gim, '')
    .replace(/"requestId":"[^"]*"/g, '"requestId":""')
    .replace(/"serverTime":\d+/g, '"serverTime":0')
    .replace(/^x-nextjs-cache: .*\r\n/gim, '')
    // A page of the list has no etag while too many others are being compressed.
    .replace(/^etag: .*\r\n/gim, '');

const statusesOf = (answers: string) =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, one]) => Number(one));

/** Makes the traffic of one connection: requests, and where to cut the bytes. */
const conversation = () => {
  const { saleId, gate } = sale;
  const purchase = `/api/sales/${saleId}/purchase/${gate}`;
  const state = `/api/sales/${saleId}/state`;
  const likely: [string, string][] = [
    ...Array<[string, string]>(8).fill(['POST', purchase]),
    // Each entry of this list is drawn equally often, so requests for lists reduce the share of the others.
    ...[
      `/api/sales/${saleId}/purchase/x`,
      `/api/sales/${saleId}/purchase/x`,
      '/api/sales/nowhere/purchase/x',
      `/api/sales/${saleId}/entry`,
    ].map((target): [string, string] => ['POST', target]),
    ...[
      state,
      `${state}?clock=1`,
      '/api/sales/nowhere/state',
      `/${state}`,
      ...['', '?limit=1', '?limit=0', '?limit=%00', '?cursor=!', '?', '#', '/'].map(
        (end) => `/api/sales${end}`,
      ),
      '/api/orders/1',
      '/api/nothing',
      '/',
      '/?a=1',
      '/orders/1',
      '/orders/a%20b',
      '/nowhere',
      '/zh-CN/nowhere',
      '/livez',
      'http://localhost/',
      '*',
      `/${'x'.repeat(3_000)}`,
    ].map((target): [string, string] => ['GET', target]),
    ['OPTIONS', '*'],
  ];
  return fc.record({
    requests: fc.array(requestText({ likely, tokens }), { minLength: 1, maxLength: 6 }),
    cuts: fc.array(fc.nat(1_200), { maxLength: 2 }),
  });
};

function piecesOf({ requests, cuts }: { requests: string[]; cuts: number[] }): string[] {
  const text = requests.join('') + LAST;
  const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, n) => text.slice(at[n], end));
}

describe('two readers of HTTP', () => {
  it(`[F2 A6] never disagree, about ${REQUESTS} requests, and none is answered 500 or never`, async () => {
    const statuses = new Map<number, number>();
    let sent = 0;
    const run = fc.asyncProperty(
      fc.array(conversation(), { minLength: CONNECTIONS_A_RUN, maxLength: CONNECTIONS_A_RUN }),
      async (conversations) => {
        await Promise.all(
          conversations.map(async (one) => {
            const pieces = piecesOf(one);
            const [own, theirs] = await Promise.all([
              exchange(portOf(plain), pieces),
              exchange(portOf(http), pieces),
            ]);
            sent += one.requests.length;
            for (const status of statusesOf(own)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
            expect(comparable(own), JSON.stringify(pieces)).toBe(comparable(theirs));
            expect(own, JSON.stringify(pieces)).not.toMatch(/HTTP\/1\.1 50[0-2]|\(never closed\)/);
          }),
        );
      },
    );
    const averageOfRun = CONNECTIONS_A_RUN * 3;
    await fc.assert(run, {
      numRuns: Math.ceil((REQUESTS / averageOfRun) * 1.1),
      seed: SEED,
      endOnFailure: true,
    });
    expect(sent).toBeGreaterThanOrEqual(REQUESTS);
    // The mixture must reach the interesting code, or the test proves little.
    for (const status of [200, 202, 204, 400, 401, 403, 404, 405, 409, 413, 414, 422])
      expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(0);
  }, 600_000);

  it('[A6] close the connection on what is no HTTP', async () => {
    const noise = fc.array(fc.nat(255), { minLength: 1, maxLength: 200 });
    const run = fc.asyncProperty(noise, async (bytes) => {
      for (const web of [plain, http]) {
        const text = await exchange(portOf(web), [`${Buffer.from(bytes).toString('latin1')}\r\n\r\n`]);
        expect([[], [400], [404], [405], [431]]).toContainEqual(statusesOf(text));
      }
    });
    await fc.assert(run, { numRuns: 300, seed: SEED });
    const long = `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`;
    expect(statusesOf(await exchange(portOf(plain), [long]))).toEqual([431]);
  });
});

describe('limits', () => {
  it('[A6] has a time limit for slow clients', () => {
    const { server } = plain;
    expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
    expect(server.requestTimeout).toBeLessThanOrEqual(30_000);
    expect(createServer().requestTimeout).toBeGreaterThan(server.requestTimeout);
  });
});
