import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { rawGet } from '@/lib/server/testing/raw-get';
import { sessionOf } from '@/test/support/call-as';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { openShopBehindLinks, type ShopBehindLinks } from '@/test/support/shop-behind-links';
import { solve } from '@/test/support/solve-challenge';

/*
 * Asks a web process behind which there is no Next, only a stand-in that answers 404 without a body: what it answers
 * it has answered itself.
 */

const PROCESS = join(import.meta.dirname, '../testing/direct-process.ts');

let shop: ShopBehindLinks;

beforeAll(async () => {
  shop = await openShopBehindLinks(PROCESS);
});
afterAll(async () => {
  await shop.stop();
  await Promise.all([closeRedis(), closeDb()]);
});

async function shopper() {
  const { userId } = await makeUser();
  const headers = {
    cookie: `${sessionCookieName()}=${await sessionOf(userId)}`,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  };
  return async (path: string, body: unknown = {}, more: Record<string, string> = {}) => {
    const options = { method: 'POST', body: JSON.stringify(body) };
    const reply = await rawGet(`${shop.fastPath.origin}${path}`, { ...headers, ...more }, options);
    const text = reply.body.toString();
    return { status: reply.status, body: text === '' ? null : JSON.parse(text) };
  };
}

/** Asks until the process knows the sale. */
async function known(post: Awaited<ReturnType<typeof shopper>>, path: string) {
  await expect
    .poll(async () => (await post(path, { kind: 'sound' })).body?.code)
    .toBe('CHALLENGE_NOT_OFFERED');
}

it('[G4 L3] the process that sells gives calculations itself, and lets in who did one', async () => {
  const [post, { sale }] = [await shopper(), await makeSale({ challenge: 'pow' })];
  const path = `/api/sales/${sale.saleId}/challenge`;
  await known(post, path);
  const given = await post(path);
  expect([given.status, given.body.kind, given.body.alternatives]).toEqual([200, 'pow', []]);
  const answer = await solve(given.body, { kind: 'pow', derivedKey: '' });
  const challenge = { challengeId: given.body.challengeId, answer };
  const entry = `/api/sales/${sale.saleId}/entry`;
  expect((await post(entry, { challenge })).status).toBe(200);
  expect((await post(entry, { challenge })).body.code).toBe('CHALLENGE_FAILED');
});

it('[G4 L3] puzzles are left to Next, and so are sales that nobody knows', async () => {
  const [post, { sale }] = [await shopper(), await makeSale({ challenge: 'slider' })];
  for (const saleId of [sale.saleId, sale.saleId, 'sale_nowhere'])
    expect(await post(`/api/sales/${saleId}/challenge`)).toEqual({ status: 404, body: null });
});

it('[H1 G4] strangers, other sites and nonsense are refused as Next refuses them', async () => {
  const [post, { sale }] = [await shopper(), await makeSale({ challenge: 'pow' })];
  const path = `/api/sales/${sale.saleId}/challenge`;
  await known(post, path);
  const refusals = [
    post(path, {}, { cookie: '' }),
    post(path, {}, { 'sec-fetch-site': 'cross-site' }),
    post(path, { kind: 'magic' }),
    post(path, { kind: 'slider' }),
    post(path, [], { 'content-type': 'text/plain' }),
  ];
  const codes = (await Promise.all(refusals)).map(({ body }) => body.code);
  expect(codes).toEqual(['UNAUTHENTICATED', 'CSRF', 'VALIDATION', 'CHALLENGE_NOT_OFFERED', 'CSRF']);
});
