import { test } from '@playwright/test';
import fc from 'fast-check';
import { newShopper } from '../support/accounts';
import { baseUrl } from '../support/base-url';
import { expectSame } from '../support/both-ways';
import { cookieOf } from '../support/ended-sessions';
import { OWN_THINGS } from '../support/own-things';
import { newSale } from '../support/sales';

test('[C1 L3] the fast path and the route handlers answer alike a thousand requests put together at random', async () => {
  const [shopper, sale] = await Promise.all([newShopper(), newSale()]);
  const cookie = cookieOf(shopper);
  const some = <T>(...values: T[]) => fc.constantFrom(...values);
  const request = fc.record({
    method: some('GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'OPTIONS'),
    path: some(
      ...OWN_THINGS,
      '/api/orders/1',
      `/api/sales/${sale.saleId}/entry`,
      `/api/sales/${sale.saleId}/reservation`,
    ),
    tail: some('', '', '', '', '?', '?x', '?limit=2', '?limit=-1', '/', '%20', '//', '?cursor=%'),
    headers: fc.record(
      {
        cookie: some(
          cookie,
          cookie,
          `${cookie}x`,
          `a=b; ${cookie}`,
          `${cookie}; ${cookie}`,
          '=',
          'next-auth.session-token=',
        ),
        origin: some(baseUrl, baseUrl, `${baseUrl}x`, 'null', 'not a url'),
        'content-type': some('application/json', 'application/json; charset=x', 'text/plain', 'x'),
        'sec-fetch-site': some('same-origin', 'cross-site'),
        'x-entry-token': some('x', ''),
        'x-seckill-client': some('x 1.2.3.4'),
        'x-forwarded-for': some('1.2.3.4', 'x'),
        'accept-language': some('zh-CN', 'x'.repeat(500)),
      },
      { requiredKeys: [] },
    ),
    body: some(undefined, undefined, '{}', '{"challenge":null}', '{', '"x"'),
  });
  for (const { method, path, tail, headers, body } of fc.sample(request, {
    numRuns: 500,
    seed: 20_261_123,
  })) {
    const hasBody = method === 'POST' || method === 'PUT';
    await expectSame({ method, path: `${path}${tail}`, headers, body: hasBody ? body : undefined });
  }
});
