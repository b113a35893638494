import { expect, test } from '@playwright/test';
import { bestOf } from '../../test/support/best-of';
import { demoAdmin, demoMerchant, newShopper } from '../support/accounts';
import type { Answer } from '../support/client';
import { fastPathSecret } from '../support/fast-path-secret';
import { lostOf } from '../support/lost';
import { expectProblem } from '../support/problem';
import { enter, gateOf, newProduct, newSale, purchase, saleInput } from '../support/sales';

/** Windows so long that no attempt becomes free again during a test. */
const aDay = (limit: number) => ({ algorithm: 'sliding-window', limit, windowSec: 86_400 }) as const;

function expectLimited(answer: Answer, scope: string, limit: number): void {
  expectProblem(answer, 429, 'RATE_LIMITED');
  const retryAfter = Number(answer.headers.get('retry-after'));
  expect(retryAfter).toBe(Math.ceil(Number(answer.body.retryAfterMs) / 1000));
  expect(retryAfter).toBeGreaterThan(80_000);
  expect(answer.headers.get('ratelimit')).toBe(`"${scope}";r=0;t=${retryAfter}`);
  expect(answer.headers.get('ratelimit-policy')).toBe(`"${scope}";q=${limit};w=86400`);
}

test('[G1] purchases of one user are limited, whoever answers, and say when to come again', async () => {
  const [shopper, { saleId }] = await Promise.all([newShopper(), newSale()]);
  const merchant = await demoMerchant();
  const tokens = await Promise.all(Array.from({ length: 6 }, () => enter(shopper, saleId)));
  const [first = '', ...others] = tokens;
  const set = await merchant.request('PATCH', `/api/admin/sales/${saleId}/limits`, {
    body: { user: aDay(3) },
  });
  expect(set.status, set.text).toBe(200);
  expect(set.body).toMatchObject({ saleId, limits: { user: aDay(3) } });

  const gate = await gateOf(saleId);
  expect((await purchase(saleId, gate, first)).status).toBe(202);
  const answers: Answer[] = [];
  for (const token of others) answers.push(await purchase(saleId, gate, token));
  const counted = answers.findIndex(({ status }) => status === 429);
  for (const [nth, answer] of answers.entries()) {
    if (nth < counted) expectProblem(answer, 409, 'LIMIT_REACHED');
    else expectLimited(answer, 'user', 3);
  }
  // The limit leaves two after the first, and one less for each answer that was lost and counted.
  expect(counted).toBeLessThanOrEqual(2);
  expect(counted + lostOf(answers.slice(0, counted + 1))).toBeGreaterThanOrEqual(2);
  const inNext = await shopper.client.post(`/api/sales/${saleId}/purchase/${gate}`, undefined, {
    headers: { 'x-entry-token': others.at(-1) ?? '', 'x-seckill-lane': fastPathSecret() },
  });
  expectLimited(inNext, 'user', 3);
  expect((await purchase(saleId, gate, first)).body).toMatchObject({ replay: true });
  const rateLimited = async () =>
    ((await merchant.get(`/api/admin/sales/${saleId}/live`)).body.attempts as { rateLimited: number })
      .rateLimited;
  // A count whose writing Redis confirms too late is written again.
  await expect.poll(rateLimited, { timeout: 150_000 }).toBeGreaterThanOrEqual(answers.length - counted + 1);
});

test('[G1 G2] entry is limited per user and per address, whatever address a client makes up', async () => {
  const [perUser, ben] = await Promise.all([newSale({ limits: { user: aDay(2) } }), newShopper()]);
  const entry = ({ client }: typeof ben, saleId: string, n: number) =>
    client.post(`/api/sales/${saleId}/entry`, undefined, {
      headers: {
        'x-forwarded-for': `198.51.100.${n}`,
        'x-real-ip': `198.51.100.${n}`,
        'x-seckill-client': `${'A'.repeat(32)} 198.51.100.${n}`,
      },
    });
  // While Redis is silent a web process counts by itself: then a request counts twice, or where no later one looks.
  const besideTwo = async (scope: string, ask: (n: number) => Promise<Answer>) => {
    for (let n = 1; n < 10; n += 1) {
      const answer = await ask(n);
      if (answer.status !== 200) {
        expectLimited(answer, scope, 2);
        return Math.abs(n - 1 - 2);
      }
    }
    return Number.POSITIVE_INFINITY;
  };
  const perUserBeside = async () => {
    const ada = await newShopper();
    return besideTwo('user', (n) => entry(ada, perUser.saleId, n));
  };
  expect(await bestOf(1, perUserBeside)).toBe(0);
  expect((await entry(ben, perUser.saleId, 4)).status).toBe(200);

  const perAddressBeside = async () => {
    const [ada, { saleId }] = await Promise.all([newShopper(), newSale({ limits: { ip: aDay(2) } })]);
    return besideTwo('ip', (n) => entry(n % 2 === 0 ? ben : ada, saleId, n));
  };
  expect(await bestOf(1, perAddressBeside)).toBe(0);
});

test('[G1 G7] limits are set by the sale’s merchant, and only ones that make sense', async () => {
  const [merchant, admin, { saleId }] = await Promise.all([demoMerchant(), demoAdmin(), newSale()]);
  const path = `/api/admin/sales/${saleId}/limits`;
  const patch = (body: unknown) => merchant.request('PATCH', path, { body });
  for (const algorithm of ['fixed-window', 'sliding-window', 'token-bucket', 'leaky-bucket']) {
    const limits = { interface: { ...aDay(1_000), algorithm } };
    expect((await patch(limits)).body).toMatchObject({ limits });
  }
  for (const none of ['null', {}]) expect((await patch(none)).body).toMatchObject({ limits: null });
  for (const wrong of [
    { user: { ...aDay(0) } },
    { user: { ...aDay(1_000_001) } },
    { user: { ...aDay(1), windowSec: 0.5 } },
    { user: { ...aDay(1), algorithm: 'none' } },
    { users: aDay(1) },
    [],
    '"five"',
  ]) {
    expectProblem(await patch(wrong), 422, 'VALIDATION');
  }
  expectProblem(await patch('{"user":'), 400, 'MALFORMED');
  expectProblem(
    await merchant.request('PATCH', '/api/admin/sales/sale_nowhere/limits', { body: {} }),
    404,
    'SALE_NOT_FOUND',
  );
  const own = await admin.post('/api/admin/sales', saleInput({ productId: await newProduct(admin) }));
  const foreign = `/api/admin/sales/${own.body.saleId}/limits`;
  expectProblem(await merchant.request('PATCH', foreign, { body: {} }), 404, 'SALE_NOT_FOUND');
  expect((await admin.request('PATCH', path, { body: { ip: aDay(9) } })).status).toBe(200);
});
