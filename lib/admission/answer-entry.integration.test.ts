import { afterAll, beforeAll, expect, it } from 'vitest';
import { signOutEverywhere } from '@/lib/access/sign-out-everywhere';
import { stopWatchingEndedSessions, watchEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { closeDb, db } from '@/lib/db/client';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { sessionOf } from '@/test/support/call-as';
import { answerEntry } from './answer-entry';

beforeAll(() => watchEndedSessions());
afterAll(async () => {
  stopWatchingEndedSessions();
  await Promise.all([closeRedis(), closeDb()]);
});

const enter = async (saleId: string, cookie: string, body = '') => {
  const headers = new Headers({
    cookie: `${sessionCookieName()}=${cookie}`,
    'sec-fetch-site': 'same-origin',
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
  });
  const reply = await answerEntry({ saleId, method: 'POST', headers, body, address: null });
  return { status: reply.status, code: (JSON.parse(reply.body) as { code?: string }).code };
};

it('[G6] an account that was too low a moment ago is read again before it is refused', async () => {
  const { saleId, userIds } = await createSaleFixture({ total: 5, users: 1 });
  const [userId = ''] = userIds;
  const cookie = await sessionOf(userId);
  expect(await enter(saleId, cookie)).toEqual({ status: 200 });
  await db().sale.update({ where: { id: saleId }, data: { minLevel: 3 } });
  await forgetSaleInfo(saleId);
  expect(await enter(saleId, cookie)).toEqual({ status: 403, code: 'LEVEL_TOO_LOW' });
  await db().user.update({ where: { id: userId }, data: { level: 3 } });
  expect(await enter(saleId, cookie)).toEqual({ status: 200 });
});

it('[N3] a session that has ended opens nothing, however lately it was believed', async () => {
  const { saleId, userIds } = await createSaleFixture({ total: 5, users: 2 });
  const [leaving = '', staying = ''] = userIds;
  const [cookie, other] = [await sessionOf(leaving), await sessionOf(staying)];
  expect(await enter(saleId, cookie)).toEqual({ status: 200 });
  await signOutEverywhere({ userId: leaving, role: 'shopper' });
  await expect.poll(() => enter(saleId, cookie)).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
  expect(await enter(saleId, other)).toEqual({ status: 200 });
});

it('[L3] refuses what it cannot read', async () => {
  const { saleId, userIds } = await createSaleFixture({ total: 5, users: 1 });
  const cookie = await sessionOf(userIds[0] ?? '');
  expect(await enter(saleId, cookie, '{')).toEqual({ status: 400, code: 'MALFORMED' });
  expect(await enter(saleId, cookie, '{"challenge":1}')).toEqual({ status: 422, code: 'VALIDATION' });
  expect(await enter(saleId, `${cookie}x`)).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
  expect(await enter('nowhere', cookie)).toEqual({ status: 404, code: 'SALE_NOT_FOUND' });
});
