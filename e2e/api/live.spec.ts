import { expect, test } from '@playwright/test';
import { demoAdmin, demoMerchant, newShopper } from '../support/accounts';
import { baseUrl } from '../support/base-url';
import { Client, comeAgain } from '../support/client';
import { expectProblem } from '../support/problem';
import { newProduct, newSale, saleInput } from '../support/sales';

type Sample = { at: number; serverTime: number; stock: unknown; points: { at: number }[] };

/** Follows a sale's live figures over plain HTTP. */
async function follow(client: Client, saleId: string, headers: Record<string, string> = {}) {
  const controller = new AbortController();
  const cookie = client.browserCookies().map(({ name, value }) => `${name}=${value}`);
  const response = await comeAgain(() =>
    fetch(`${baseUrl}/api/admin/sales/${saleId}/live/events`, {
      signal: controller.signal,
      headers: { cookie: cookie.join('; '), accept: 'text/event-stream', ...headers },
    }),
  );
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    text: () => text,
    /** Reads until this many samples have come. */
    async samples(count: number): Promise<Sample[]> {
      for (;;) {
        const found = [...text.matchAll(/^data: (\{.*\})\n\n/gm)].map(([, json = '']) => JSON.parse(json));
        if (found.length >= count) return found;
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`the stream ended: ${text}`);
        text += value;
      }
    },
    close: () => controller.abort(),
  };
}

test('[J5] the admin area’s figures come each second, and a live page that comes back gets what it missed', async () => {
  const merchant = await demoMerchant();
  const { saleId } = await newSale();
  const first = await follow(merchant, saleId);
  expect(first.response.status).toBe(200);
  expect(first.response.headers.get('content-type')).toBe('text/event-stream');
  expect(first.response.headers.get('cache-control')).toBe('no-store, no-transform');
  expect(first.response.headers.get('x-accel-buffering')).toBe('no');
  expect(first.response.headers.get('content-encoding')).toBeNull();
  const samples = await first.samples(3);
  first.close();
  expect(first.text()).toMatch(/^retry: \d+\nid: \d+\ndata: /);
  expect(samples[2]).toMatchObject({ stock: { total: 10, available: 10, held: 0, sold: 0 } });
  const at = samples.map((sample) => sample.at);

  const back = await follow(merchant, saleId, { 'last-event-id': String(at[0]) });
  const points = ((await back.samples(1))[0]?.points ?? []).map((point) => point.at);
  back.close();
  expect(points).toEqual(expect.arrayContaining(at.slice(1)));
  expect(points).not.toContain(at[0]);

  const asked = await merchant.get(`/api/admin/sales/${saleId}/live?since=${at[0]}`);
  expect((asked.body.points as { at: number }[]).map((point) => point.at)).toEqual(
    expect.arrayContaining(at.slice(1)),
  );
});

test('[L4] they are for those who may see the sale', async () => {
  const [admin, merchant, { client: shopper }] = await Promise.all([
    demoAdmin(),
    demoMerchant(),
    newShopper(),
  ]);
  const productId = await newProduct(admin);
  const created = await admin.post('/api/admin/sales', saleInput({ productId }));
  const path = `/api/admin/sales/${created.body.saleId}/live/events`;
  expectProblem(await new Client().get(path), 401, 'UNAUTHENTICATED');
  expectProblem(await shopper.get(path), 403, 'FORBIDDEN');
  expectProblem(await merchant.get(path), 404, 'SALE_NOT_FOUND');
  expectProblem(await merchant.get('/api/admin/sales/nowhere/live/events'), 404, 'SALE_NOT_FOUND');
  for (const since of ['x', '-1', '1.5', '9'.repeat(400)]) {
    expectProblem(await admin.get(`${path}?since=${since}`), 422, 'VALIDATION');
    expectProblem(await admin.get(path, { headers: { 'last-event-id': since } }), 422, 'VALIDATION');
  }
  const head = await admin.request('HEAD', path);
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
});
