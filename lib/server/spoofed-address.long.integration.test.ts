import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { makeSale } from '@/test/support/make-sale';
import { CLIENT_HEADER, clientHeader, requestAddress } from './client-header';
import { createWebServer } from './create-server';
import { rawGet } from './testing/raw-get';
import { tokenFor } from './testing/send-purchase';
import { standInForNext } from './testing/stand-in-next';
import { type FastPathProcess, startFastPath } from './testing/start-fast-path';

/** Returns every header in which clients have ever claimed another address. */
const lies = (n: number): Record<string, string> => ({
  'x-forwarded-for': `198.51.100.${n}, 2001:db8::${n}, unknown`,
  forwarded: `for=198.51.100.${n};proto=https, for="[2001:db8::${n}]:80"`,
  'x-real-ip': `198.51.100.${n}`,
  'x-client-ip': `198.51.100.${n}`,
  'true-client-ip': `198.51.100.${n}`,
  'cf-connecting-ip': `198.51.100.${n}`,
  [CLIENT_HEADER]: `${'A'.repeat(32)} 198.51.100.${n}`,
  'X-SECKILL-CLIENT': `198.51.100.${n}`,
});
/** Makes node:http read the request instead of the fast path's own reader. */
const NOT_PLAIN = { te: 'trailers' };

afterAll(() => Promise.all([closeRedis(), closeDb()]));

describe('the fast path', () => {
  let direct: FastPathProcess;
  let behindOne: FastPathProcess;
  beforeAll(async () => {
    [direct, behindOne] = await Promise.all([
      startFastPath(),
      startFastPath({ env: { TRUST_PROXY: '1', SECKILL_DEMO: '0' } }),
    ]);
  });
  afterAll(() => Promise.all([direct.stop(), behindOne.stop()]));

  /**
   * Makes a sale that lets two purchases from one address through, and a function that buys in it, each time as a new
   * shopper.
   */
  async function saleOfTwo() {
    const limits = { ip: { algorithm: 'fixed-window', limit: 2, windowSec: 86_400 } };
    const { sale } = await makeSale({ totalStock: 100, limits });
    const { gate } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
    return async ({ origin }: FastPathProcess, headers: Record<string, string>) => {
      const token = tokenFor(sale.saleId, newId('user'));
      const own = { 'x-entry-token': token, 'content-length': '0' };
      const url = `${origin}/api/sales/${sale.saleId}/purchase/${gate}`;
      return (await rawGet(url, { ...own, ...headers }, { method: 'POST' })).status;
    };
  }

  it.each([
    ['its own reader', {}],
    ['node:http', NOT_PLAIN],
  ])('[G2] believes no header without a proxy of ours, read by %s', async (_, further) => {
    const buy = await saleOfTwo();
    const statuses: number[] = [];
    for (let n = 1; n <= 4; n += 1) statuses.push(await buy(direct, { ...lies(n), ...further }));
    expect(statuses).toEqual([202, 202, 429, 429]);
  });

  it.each([
    ['its own reader', {}],
    ['node:http', NOT_PLAIN],
  ])('[G2] believes only what the one proxy of ours has added, read by %s', async (_, further) => {
    const buy = await saleOfTwo();
    const from = (address: string, n: number) =>
      buy(behindOne, {
        ...lies(n),
        ...further,
        'x-forwarded-for': `198.51.100.${n}, 10.0.0.${n}, ${address}`,
      });
    const statuses: number[] = [];
    for (let n = 1; n <= 3; n += 1) statuses.push(await from('192.0.2.1', n));
    expect(statuses).toEqual([202, 202, 429]);
    expect(await from('192.0.2.2', 1)).toBe(202);
    // The same client, however the proxy writes its address.
    expect(await from('[2001:db8:5:6::1]:4711', 1)).toBe(202);
    expect(await from('2001:DB8:5:6:a:b:c:d', 2)).toBe(202);
    expect(await from('2001:db8:5:6::2', 3)).toBe(429);
    expect(await from('::ffff:192.0.2.1', 4)).toBe(429);
  });

  it('[G2] survives a header of 10 kB', async () => {
    const buy = await saleOfTwo();
    const madeUp = Array.from({ length: 1_000 }, () => '6.6.6.6').join(', ');
    expect(await buy(direct, { 'x-forwarded-for': madeUp })).toBe(202);
    expect(await buy(behindOne, { 'x-forwarded-for': `${madeUp}, 192.0.2.7` })).toBe(202);
    expect(await buy(behindOne, { 'x-forwarded-for': `${','.repeat(9_000)}, 192.0.2.7` })).toBe(202);
    expect(await buy(behindOne, { 'x-forwarded-for': '192.0.2.7' })).toBe(429);
  });
});

describe('Next behind the fast path', () => {
  const headersOf = (request: IncomingMessage) => new Headers(request.headers as Record<string, string>);

  it('[G2] is told by the fast path who asks, whatever the client says', async () => {
    const upstream = await standInForNext((request, response) => {
      response.end(JSON.stringify(requestAddress(headersOf(request))));
    });
    const web = createWebServer({ next: upstream.forward, hasFastPath: true, commonHeaders: [] });
    await new Promise<void>((resolve) => web.server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}/api/sales/x/entry`;
    try {
      for (const headers of [{}, lies(1), lies(2), { [CLIENT_HEADER]: 'x'.repeat(5_000) }]) {
        const answer = await rawGet(url, { ...headers, 'content-length': '0' }, { method: 'POST' });
        expect(JSON.parse(answer.body.toString())).toBe('127.0.0.1');
      }
    } finally {
      web.closeAll();
      web.server.close();
      upstream.close();
    }
  });

  it('[G2] believes nobody but the fast path: asked directly, it knows no address without a proxy of ours', () => {
    expect(requestAddress(new Headers(lies(1)))).toBeNull();
    expect(requestAddress(new Headers({ [CLIENT_HEADER]: ' 198.51.100.1' }))).toBeNull();
    const own = clientHeader({ socket: { remoteAddress: '192.0.2.1' }, headers: {} } as IncomingMessage);
    expect(requestAddress(new Headers({ [CLIENT_HEADER]: own }))).toBe('192.0.2.1');
    const altered = `${own[0] === 'A' ? 'B' : 'A'}${own.slice(1)}`;
    expect(requestAddress(new Headers({ [CLIENT_HEADER]: altered }))).toBeNull();
  });
});
