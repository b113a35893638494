import { Redis } from 'ioredis';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { createTask } from '@/lib/challenge/create-task';
import type { LimitPolicy } from '@/lib/contract/shapes/limit';
import { SALE_STRATEGIES } from '@/lib/contract/words/sale';
import { closeDb, db } from '@/lib/db/client';
import { offerChallenge } from '@/lib/entry/offer-challenge';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import type { Reply } from '@/lib/http/reply';
import { newId } from '@/lib/ids/new-id';
import { flushAttempts, readAttempts } from '@/lib/metrics/attempts';
import { purchase } from '@/lib/purchase/purchase';
import { decided } from '@/lib/purchase/testing/decided';
import { closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { cancelReservation } from '@/lib/reservation/cancel-reservation';
import { reserve } from '@/lib/reservation/reserve';
import { changeLimits } from '@/lib/sale/admin/change-limits';
import { readStock } from '@/lib/stock/read-stock';
import { eventually } from '@/test/support/eventually';
import { makeDraft, makeSale, makeUser } from '@/test/support/make-sale';

/** The window is so long that no attempt returns during a test. */
const policy = (limit: number): LimitPolicy => ({ algorithm: 'sliding-window', limit, windowSec: 86_400 });

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const tokenFor = (saleId: string, userId: string, device = '') =>
  signEntryToken({
    saleId,
    userId,
    level: 0,
    device,
    jti: newId('jti'),
    expiresAt: Date.now() + 600_000,
  });

async function gateOf(saleId: string): Promise<string> {
  return (await db().sale.findUniqueOrThrow({ where: { id: saleId } })).gate;
}

const said = (reply: Reply) => ({ http: reply.status, headers: reply.headers, ...JSON.parse(reply.body) });

/** Makes one purchase, with a token of its own unless one is given. */
async function buy(saleId: string, userId: string, { token = tokenFor(saleId, userId), address = '' } = {}) {
  const { gate, epoch } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const reply = await purchase({ saleId, gate, entryToken: token, body: '', address: () => address || null });
  return decided({ saleId, epoch }, userId, reply);
}

const LIMITED = { http: 429, code: 'RATE_LIMITED' };

describe.each(SALE_STRATEGIES)('purchases by %s', (strategy) => {
  it('[G1] are limited per user: 429 says when to come again, a replay is never limited', async () => {
    const { sale } = await makeSale({ strategy, limits: { user: policy(2) } });
    const { saleId } = sale;
    const [{ userId }, other] = await Promise.all([makeUser(), makeUser()]);
    const token = tokenFor(saleId, userId);
    const first = await buy(saleId, userId, { token });
    expect(first.http).toBe(202);
    expect(await buy(saleId, userId)).toMatchObject({ http: 409, code: 'LIMIT_REACHED' });
    const refused = await buy(saleId, userId);
    expect(refused).toMatchObject({ ...LIMITED, scope: 'user' });
    expect(refused.retryAfterMs).toBeGreaterThan(86_000_000);
    expect(refused.retryAfterMs).toBeLessThanOrEqual(86_400_000);
    const seconds = Math.ceil(refused.retryAfterMs / 1000);
    expect(refused.headers).toMatchObject({
      'retry-after': String(seconds),
      ratelimit: `"user";r=0;t=${seconds}`,
      'ratelimit-policy': '"user";q=2;w=86400',
    });
    expect(await buy(saleId, userId, { token })).toMatchObject({
      http: 202,
      orderNo: first.orderNo,
      replay: true,
    });
    expect((await buy(saleId, other.userId)).http).toBe(202);
    await flushAttempts();
    expect(await readAttempts(saleId)).toMatchObject({
      attempts: { accepted: 2, replayed: 1, rateLimited: 1 },
      refusals: { RATE_LIMITED: 1 },
    });
  });

  it('[G3] are limited in all, exactly, however many come at once', async () => {
    const { sale } = await makeSale({ strategy, totalStock: 50, limits: { interface: policy(5) } });
    const users = await Promise.all(Array.from({ length: 12 }, () => makeUser()));
    const replies = await Promise.all(users.map(({ userId }) => buy(sale.saleId, userId)));
    const count = (http: number) => replies.filter((reply) => reply.http === http).length;
    if (strategy === 'script' || strategy === 'queue') expect([count(202), count(429)]).toEqual([5, 7]);
    // With the other strategies a shopper may be told to come again, before the attempt was counted or after.
    expect(count(202)).toBeLessThanOrEqual(5);
    expect(count(202) + count(503)).toBeGreaterThanOrEqual(5);
    expect(count(202) + count(503) + count(429)).toBe(12);
    expect(replies.find(({ http }) => http === 429)).toMatchObject({ scope: 'interface' });
  });

  it('[G2] are limited per address, an IPv6 address with all of its /64; a replay is not', async () => {
    const { sale } = await makeSale({ strategy, limits: { ip: policy(2) } });
    const { saleId } = sale;
    const users = await Promise.all(Array.from({ length: 6 }, () => makeUser()));
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = users.map(({ userId }) => userId);
    const token = tokenFor(saleId, a);
    expect((await buy(saleId, a, { token, address: '2001:db8:1:2::a' })).http).toBe(202);
    expect((await buy(saleId, b, { address: '2001:db8:1:2:ffff::b' })).http).toBe(202);
    expect(await buy(saleId, c, { address: '2001:db8:1:2::c' })).toMatchObject({ ...LIMITED, scope: 'ip' });
    expect(await buy(saleId, a, { token, address: '2001:db8:1:2::a' })).toMatchObject({ replay: true });
    expect((await buy(saleId, d, { address: '2001:db8:1:3::a' })).http).toBe(202);
    expect((await buy(saleId, e, { address: '203.0.113.9' })).http).toBe(202);
    // The address is unknown: such requests must not share one limit.
    for (const userId of [f, f, f]) expect((await buy(saleId, userId)).http).not.toBe(429);
  });

  it('[G15] are limited per device, whoever uses it; a replay is not, nor a device that is not known', async () => {
    const { sale } = await makeSale({ strategy, limits: { device: policy(2) } });
    const { saleId } = sale;
    const users = await Promise.all(Array.from({ length: 6 }, () => makeUser()));
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = users.map(({ userId }) => userId);
    const by = (userId: string, device: string) =>
      buy(saleId, userId, { token: tokenFor(saleId, userId, device) });
    const token = tokenFor(saleId, a, 'dev_shared');
    expect((await buy(saleId, a, { token })).http).toBe(202);
    expect((await by(b, 'dev_shared')).http).toBe(202);
    const refused = await by(c, 'dev_shared');
    expect(refused).toMatchObject({ ...LIMITED, scope: 'device' });
    expect(refused.headers).toMatchObject({ 'ratelimit-policy': '"device";q=2;w=86400' });
    expect(await buy(saleId, a, { token })).toMatchObject({ replay: true });
    expect((await by(d, 'dev_own')).http).toBe(202);
    for (const userId of [e, f, f]) expect((await by(userId, '')).http).not.toBe(429);
  });

  it('[G1 G2 G3] one who hammers uses up neither his office’s share nor that of all', async () => {
    const limits = { user: policy(2), ip: policy(4), interface: policy(4) };
    const { sale } = await makeSale({ strategy, limits });
    const [ada, ben, cyd, dan] = await Promise.all([makeUser(), makeUser(), makeUser(), makeUser()]);
    const ask = ({ userId }: { userId: string }) => buy(sale.saleId, userId, { address: '192.0.2.1' });
    expect([(await ask(ada)).http, (await ask(ada)).http]).toEqual([202, 409]);
    for (let n = 0; n < 10; n += 1) expect(await ask(ada)).toMatchObject({ ...LIMITED, scope: 'user' });
    expect([(await ask(ben)).http, (await ask(cyd)).http]).toEqual([202, 202]);
    expect(await ask(dan)).toMatchObject(LIMITED);
  });
});

it('[G1–G3] all are counted in the one script call that decides the purchase', async () => {
  const limits = { user: policy(2), ip: policy(2), interface: policy(2) };
  const { sale } = await makeSale({ limits });
  const { saleId } = sale;
  const sent = vi.spyOn(Redis.prototype, 'sendCommand');
  expect((await buy(saleId, newId('user'), { address: '192.0.2.1' })).http).toBe(202);
  const about = [keys.sale(saleId), keys.limits(saleId), keys.limit(saleId, 'purchase', 'ip', '192.0.2.1')];
  const calls = sent.mock.calls.map(([command]) => about.filter((key) => command.args.includes(key)));
  sent.mockRestore();
  expect(calls.filter((touched) => touched.length > 0)).toEqual([about]);
});

it('[G2] addresses are limited also in a sale that may go over to Postgres; a replay is not', async () => {
  const { sale } = await makeSale({ onStockOutage: 'database', limits: { ip: policy(1) } });
  const { saleId } = sale;
  const [ada, ben] = await Promise.all([makeUser(), makeUser()]);
  const [token, address] = [tokenFor(saleId, ada.userId), '192.0.2.1'];
  let first = await buy(saleId, ada.userId, { token, address });
  // Repeat until Postgres has granted this process its first units.
  while (first.http === 503) first = await buy(saleId, ada.userId, { token, address });
  expect(first.http).toBe(202);
  expect(await buy(saleId, ben.userId, { address })).toMatchObject({ ...LIMITED, scope: 'ip' });
  const { orderNo } = first;
  expect(await buy(saleId, ada.userId, { token, address })).toMatchObject({
    http: 202,
    orderNo,
    replay: true,
  });
  expect((await buy(saleId, ben.userId, { address: '192.0.2.2' })).http).toBe(202);
});

describe('answers from memory', () => {
  it('[G1 B8] “sold out” is limited too, without asking Redis', async () => {
    const { sale } = await makeSale({ totalStock: 1, limits: { user: policy(3) } });
    const { saleId } = sale;
    const gate = await gateOf(saleId);
    const ask = (userId: string) =>
      purchase({ saleId, gate, entryToken: tokenFor(saleId, userId), body: '' });
    await ask(newId('user'));
    const hammering = newId('user');
    await eventually(async () => {
      // Ask as a new shopper, so that the answer is "sold out" and keeps the memory fresh.
      await ask(newId('user'));
      const reply = ask(hammering);
      expect(reply).not.toBeInstanceOf(Promise);
      expect(said(reply as Reply)).toMatchObject({ ...LIMITED, scope: 'user' });
    }, 5);
  });
});

describe('entry', () => {
  it('[G1] is limited per user, apart from purchases', async () => {
    const { sale } = await makeSale({ limits: { user: policy(2) } });
    const user = await makeUser();
    const enter = () => issueEntry(sale.saleId, user);
    const results = await Promise.all(Array.from({ length: 30 }, enter));
    expect(results.filter(({ status }) => status === 'entered')).toHaveLength(2);
    expect(await enter()).toMatchObject({ status: 'rate_limited', limited: { scope: 'user', limit: 2 } });
    expect(await issueEntry(sale.saleId, await makeUser())).toMatchObject({ status: 'entered' });
    expect((await buy(sale.saleId, user.userId)).http).toBe(202);
  });

  it('[G2] is limited per address', async () => {
    const { sale } = await makeSale({ limits: { ip: policy(2) } });
    const enter = async (address: string | null) =>
      (await issueEntry(sale.saleId, await makeUser(), { address })).status;
    expect([await enter('192.0.2.1'), await enter('192.0.2.1'), await enter('192.0.2.1')]).toEqual([
      'entered',
      'entered',
      'rate_limited',
    ]);
    expect(await enter('192.0.2.2')).toBe('entered');
    expect(await enter(null)).toBe('entered');
  });

  it('[G15] is limited per device, as are challenges and reservations, each apart', async () => {
    const now = Date.now();
    const { sale } = await makeSale({
      limits: { device: policy(2) },
      challenge: 'pow',
      startsAt: now + 60_000,
      entryOpensAt: now - 60_000,
      reservation: { opensAt: now - 60_000, closesAt: now + 30_000 },
    });
    const { saleId } = sale;
    const ways: ((device: string) => Promise<{ status: string }>)[] = [
      async (device) => issueEntry(saleId, { ...(await makeUser()), device }),
      async (device) => offerChallenge(saleId, { ...(await makeUser()), address: null, device }, createTask),
      async (device) => reserve(saleId, (await makeUser()).userId, { device }),
    ];
    for (const way of ways) {
      for (const device of ['dev_a', 'dev_a', 'dev_b', '', '', ''])
        expect((await way(device)).status).not.toBe('rate_limited');
      expect(await way('dev_a')).toMatchObject({
        status: 'rate_limited',
        limited: { scope: 'device', limit: 2 },
      });
    }
    const { userId } = await makeUser();
    expect(await cancelReservation(saleId, userId, { device: 'dev_a' })).toMatchObject({
      status: 'rate_limited',
    });
  });

  it('[G1 G2] one who hammers does not use up his office’s share', async () => {
    const { sale } = await makeSale({ limits: { user: policy(2), ip: policy(4) } });
    const [ada, ben, cyd] = await Promise.all([makeUser(), makeUser(), makeUser()]);
    const enter = (user: typeof ada) => issueEntry(sale.saleId, user, { address: '192.0.2.1' });
    const hammered = await Promise.all(Array.from({ length: 30 }, () => enter(ada)));
    expect(hammered.filter(({ status }) => status === 'entered')).toHaveLength(2);
    for (const user of [ben, ben]) expect(await enter(user)).toMatchObject({ status: 'entered' });
    expect(await enter(cyd)).toMatchObject({ status: 'rate_limited', limited: { scope: 'ip' } });
  });
});

describe('changeLimits', () => {
  it.each(SALE_STRATEGIES)('[G1] takes effect on a running sale within a second, by %s', async (strategy) => {
    const { sale, merchant } = await makeSale({ strategy });
    const { saleId } = sale;
    const { userId } = await makeUser();
    const limits = { user: policy(1) };
    expect((await buy(saleId, userId)).http).toBe(202);
    expect(await changeLimits(merchant, saleId, limits)).toMatchObject({
      status: 'changed',
      sale: { limits },
    });
    await eventually(async () => expect(await buy(saleId, userId)).toMatchObject(LIMITED));
    expect(await changeLimits(merchant, saleId, null)).toMatchObject({ sale: { limits: null } });
    await eventually(async () => expect((await buy(saleId, userId)).code).toBe('LIMIT_REACHED'));
  });

  it('[G1] is for the sale’s merchant, operators and admins; a draft keeps it for later', async () => {
    const { sale, merchant } = await makeDraft();
    const limits = { user: policy(1) };
    expect(await changeLimits(await makeUser('merchant'), sale.saleId, limits)).toEqual({
      status: 'not_found',
    });
    expect(await changeLimits(await makeUser('operator'), sale.saleId, limits)).toMatchObject({
      status: 'changed',
    });
    expect(await changeLimits(merchant, sale.saleId, limits)).toMatchObject({ sale: { limits } });
    expect(await readStock(sale.saleId)).toBeNull();
  });
});
