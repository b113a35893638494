import { afterAll, afterEach, expect, it } from 'vitest';
import { POST as beginPasskey } from '@/app/api/account/factors/passkeys/route';
import { POST as invite } from '@/app/api/admin/invitations/route';
import { GET as followLive } from '@/app/api/admin/sales/[saleId]/live/events/route';
import { GET as listSales } from '@/app/api/admin/sales/route';
import { GET as listOrders } from '@/app/api/orders/route';
import { GET as getVisit } from '@/app/api/visit/route';
import { STAFF_ROLES } from '@/lib/contract/words/roles';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeAccount, PASSWORD } from '@/test/support/make-account';

const require = (isStaffFactorRequired: boolean) => Object.assign(env(), { isStaffFactorRequired });
afterEach(() => require(false));
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const codeOf = async (asked: Promise<Response>) => {
  const answer = await asked;
  return answer.ok ? 'ok' : ((await answer.json()) as { code: string }).code;
};
const addFactor = (id: string) => db().user.update({ where: { id }, data: { secondFactorAt: new Date() } });

it.each(STAFF_ROLES)(
  '[N5] the admin area is closed to %s without a second factor where the shop requires one',
  async (role) => {
    const { id } = await makeAccount(role);
    const session = await sessionOf(id);
    const list = () => codeOf(callWith(session, listSales as never));
    expect(await list()).toBe('ok');
    require(true);
    expect(await list()).toBe('SECOND_FACTOR_REQUIRED');
    const params = { saleId: 'sale_none' };
    expect(await codeOf(callWith(session, followLive as never, { params }))).toBe('SECOND_FACTOR_REQUIRED');
    await addFactor(id);
    expect(await list()).toBe('ok');
  },
);

it('[N5] nobody is locked out: such staff sign in, shop, and add a factor; the page knows', async () => {
  require(true);
  const { id } = await makeAccount('admin');
  const session = await sessionOf(id);
  const body = { email: 'x@example.com', role: 'support' };
  expect(await codeOf(callWith(session, invite as never, { method: 'POST', body }))).toBe(
    'SECOND_FACTOR_REQUIRED',
  );
  expect(await codeOf(callWith(session, listOrders as never))).toBe('ok');
  const begin = { method: 'POST', body: { currentPassword: PASSWORD } };
  expect(await codeOf(callWith(session, beginPasskey as never, begin))).toBe('ok');
  const needs = async (whose: string) => {
    const visit = await callWith(whose, getVisit as never);
    return ((await visit.json()) as { user: { needsFactor?: boolean } }).user.needsFactor;
  };
  expect(await needs(session)).toBe(true);
  expect(await needs(await sessionOf((await makeAccount('shopper')).id))).toBeUndefined();
  await addFactor(id);
  expect(await needs(session)).toBeUndefined();
});
