import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { env } from '@/lib/env';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { tokenFor } from '@/lib/server/testing/send-purchase';
import { type FastPathProcess, startFastPath } from '@/lib/server/testing/start-fast-path';
import { eventually } from '@/test/support/eventually';
import worker from '../sold-out-worker.js';

/** The name of the shop under which the worker stands. */
export const HOST = 'http://buy.localhost:3999';

/** The shop behind the worker, while a test file runs that calls `openEdgeShop`. */
export let shop: FastPathProcess;

/** For tests: starts the shop behind the worker before a file's tests, and stops it and closes every connection after them. */
export function openEdgeShop(): void {
  beforeAll(async () => {
    shop = await startFastPath({ env: { PURCHASE_ORIGIN: HOST } });
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(async () => {
    await shop.stop();
    await Promise.all([closeRedis(), closeDb()]);
  });
}

type Sale = Pick<SaleFixture, 'saleId' | 'gate'>;
type Said = { headers?: Record<string, string>; quantity?: number; isFirstTry?: boolean; pad?: string };

/** Sends a purchase through the worker; tells whether the shop saw it. */
export async function press({ saleId, gate }: Sale, token: string, said: Said = {}) {
  const { headers, quantity, isFirstTry = true, pad } = said;
  const body = JSON.stringify({ entryToken: token, isFirstTry, quantity, pad });
  const sent = new Request(`${HOST}/api/sales/${saleId}/purchase/${gate}`, {
    method: 'POST',
    headers: { 'content-length': String(body.length), origin: env().publicUrl, ...headers },
    body,
  });
  const asked = vi.spyOn(globalThis, 'fetch');
  const answer = await worker.fetch(sent, { ORIGIN: shop.origin, SITE_ORIGIN: env().publicUrl });
  const isPassed = asked.mock.calls.some(([to]) =>
    String(to instanceof Request ? to.url : to).includes('/purchase/'),
  );
  asked.mockRestore();
  return {
    status: answer.status,
    headers: answer.headers,
    isPassed,
    body: (await answer.json()) as Record<string, unknown>,
  };
}
/** Returns a token of an account that has not bought. */
export const strangerOf = ({ saleId }: Sale) =>
  tokenFor(saleId, `stranger_${Math.random().toString(36).slice(2)}`);

/** Presses as a stranger until the worker answers itself. */
export const pressAtEdge = (sale: Sale, said: Said = {}) =>
  eventually(async () => {
    const answer = await press(sale, strangerOf(sale), said);
    expect(answer.isPassed).toBe(false);
    return answer;
  }, 20);

/** A sale whose only unit is bought, as the worker knows too. */
export async function soldOutSale() {
  const sale = await createSaleFixture({ total: 1, users: 2 });
  const token = tokenFor(sale.saleId, sale.userIds[0] ?? '');
  const bought = await press(sale, token);
  expect([bought.status, bought.isPassed]).toEqual([202, true]);
  await pressAtEdge(sale);
  return { sale, token, orderNo: bought.body.orderNo };
}
