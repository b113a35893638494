import { expect, test } from '@playwright/test';
import { newShopper, type Shopper } from '../support/accounts';
import { type Asked, expectSame } from '../support/both-ways';
import { cookieOf, endBoth } from '../support/ended-sessions';
import { OWN_THINGS } from '../support/own-things';
import { buy, newSale } from '../support/sales';

test('[C1 L3] the fast path and the route handlers answer alike who asks for what is their own', async () => {
  const [shopper, other, sale, early, reserving] = await Promise.all([
    newShopper(),
    newShopper(),
    newSale({ limitPerUser: 2 }),
    newSale({
      startsAt: Date.now() + 7_200_000,
      entryOpensAt: Date.now() + 3_600_000,
      endsAt: Date.now() + 9_000_000,
    }),
    newSale({ minLevel: 9 }),
  ]);
  const orderNo = await buy(shopper, sale.saleId);
  const cookie = cookieOf(shopper);
  const torn = cookie.replace(/(session-token=[^;]{40})[^;]*/, '$1');
  const askers: Record<string, string>[] = [
    {},
    { cookie },
    { cookie: torn },
    { cookie: 'x' },
    { cookie: cookieOf(other) },
  ];
  for (const given of askers) {
    for (const path of [
      ...OWN_THINGS,
      `/api/orders/${orderNo}`,
      '/api/orders/x',
      `/api/sales/${sale.saleId}/reservation`,
      '/api/sales/nowhere/reservation',
      '/api/orders?limit=1',
      '/api/orders?limit=0',
      '/api/orders?limit=x&cursor=',
      '/api/orders?cursor=%00',
      '/api/orders?cursor=nonsense',
      '/api/orders/',
      '/api//orders',
      '/api/auth/session?x=1',
      '/api/auth/session/',
    ]) {
      await expectSame({ method: 'GET', path, headers: given });
      await expectSame({ method: 'HEAD', path, headers: given });
    }
  }
  const enter = (saleId: string, headers: Record<string, string>, body?: unknown): Asked => ({
    method: 'POST',
    path: `/api/sales/${saleId}/entry`,
    headers,
    body,
  });
  await expectSame(enter(sale.saleId, { cookie }), 200);
  await expectSame(enter(sale.saleId, { cookie, 'user-agent': 'Mozilla/5.0 Firefox/140.0' }), 200);
  await expectSame(enter(sale.saleId, {}), 401);
  await expectSame(enter(sale.saleId, { cookie: torn }), 401);
  await expectSame(enter(sale.saleId, { cookie, origin: 'https://evil.test' }), 403);
  await expectSame(enter(sale.saleId, { cookie, origin: '' }), 403);
  await expectSame(enter(sale.saleId, { cookie, 'content-type': 'text/plain' }), 403);
  await expectSame(enter(early.saleId, { cookie }), 409);
  await expectSame(enter(reserving.saleId, { cookie }), 403);
  await expectSame(enter('nowhere', { cookie }), 404);
  await expectSame(enter(sale.saleId, { cookie }, '{'), 400);
  await expectSame(enter(sale.saleId, { cookie }, '[]'), 422);
  await expectSame(enter(sale.saleId, { cookie }, { challenge: 7 }), 422);
  await expectSame(enter(sale.saleId, { cookie }, { challenge: { challengeId: 'x\0', answer: 'x' } }), 422);
  await expectSame(enter(sale.saleId, { cookie }, 'x'.repeat(20_000)), 413);
});

test('[G9 N3] a session that has ended lets nobody in, and nobody is taken for someone else', async () => {
  const { saleId } = await newSale();
  const crowd = await Promise.all(Array.from({ length: 20 }, () => newShopper()));
  const ask = (shopper: Shopper) => shopper.client.get('/api/auth/session');
  // Asked all together, so that the server reads them in common.
  const answers = await Promise.all([...crowd, ...crowd].map(ask));
  expect(answers.map(({ body }) => (body.user as { id: string }).id)).toEqual(
    [...crowd, ...crowd].map(({ userId }) => userId),
  );
  const [leaving, banned] = crowd as [Shopper, Shopper];
  const { statuses } = await endBoth(saleId, leaving, banned);
  // A kept answer may let them in for a moment; then they stay out.
  await expect.poll(statuses, { intervals: [50] }).toEqual([401, 401]);
  for (let n = 0; n < 5; n += 1) expect(await statuses()).toEqual([401, 401]);
});
