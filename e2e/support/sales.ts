import { expect } from '@playwright/test';
import type { NewSale } from '../../lib/contract/shapes/sale-input';
import { demoMerchant, type Shopper, unique } from './accounts';
import { type Answer, Client } from './client';

export type Sale = { saleId: string; slug: string; title: string; productId: string; version: number };

export type SaleOptions = Partial<NewSale>;

const HOUR_MS = 3_600_000;

/** Makes a product of the demo's merchant. */
export async function newProduct(client?: Client): Promise<string> {
  const name = `Test product ${unique()}`;
  const input = { slug: name.toLowerCase().replaceAll(' ', '-'), name, description: 'Made by a test.' };
  const answer = await (client ?? (await demoMerchant())).post('/api/admin/products', input);
  expect(answer.status, answer.text).toBe(201);
  return String(answer.body.productId);
}

/** Returns what a merchant would send for a sale that is live now. */
export function saleInput(options: SaleOptions = {}): Record<string, unknown> {
  const now = Date.now();
  return {
    title: `Test sale ${unique()}`,
    priceMinor: 4200,
    currency: 'EUR',
    totalStock: 10,
    limitPerUser: 1,
    startsAt: now - 1000,
    endsAt: now + HOUR_MS,
    paymentWindowSec: 900,
    challenge: 'none',
    ...options,
  };
}

export async function newDraft(options: SaleOptions = {}): Promise<Sale> {
  const merchant = await demoMerchant();
  const productId = options.productId ?? (await newProduct());
  const answer = await merchant.post('/api/admin/sales', saleInput({ ...options, productId }));
  expect(answer.status, answer.text).toBe(201);
  return { ...(answer.body as Sale), productId };
}

/** Makes a published sale, live now unless `options` say otherwise. */
export async function newSale(options: SaleOptions = {}): Promise<Sale> {
  const draft = await newDraft(options);
  const answer = await (await demoMerchant()).post(`/api/admin/sales/${draft.saleId}/publish`);
  expect(answer.status, answer.text).toBe(200);
  return { ...draft, version: Number(answer.body.version) };
}

/** Makes a sale that gives places, and gives them now. It starts in an hour, or when a test is ready, by `startSoon`. */
export function newRoom(admission: 'waiting_room' | 'draw', options: SaleOptions = {}): Promise<Sale> {
  const now = Date.now();
  return newSale({
    admission,
    waitlist: admission === 'draw',
    startsAt: now + HOUR_MS,
    endsAt: now + 2 * HOUR_MS,
    entryOpensAt: now - HOUR_MS,
    ...options,
  });
}

export async function stateOf(saleId: string): Promise<Answer['body']> {
  return (await new Client().get(`/api/sales/${saleId}/state`)).body;
}

/** Returns the sale's status in the public list. */
export const listedStatusOf = async (title: string): Promise<string | undefined> =>
  (await listedSaleOf(title))?.status;

/**
 * Returns the sale in the public list. Reads page after page: other tests' sales may start later and stand
 * before it.
 */
export async function listedSaleOf(title: string): Promise<{ status: string } | undefined> {
  for (let query = 'limit=100'; ; ) {
    const { body } = await new Client().get(`/api/sales?${query}`);
    const sale = (body.sales as { title: string; status: string }[]).find((listed) => listed.title === title);
    if (sale || body.nextCursor === null) return sale;
    query = `limit=100&cursor=${body.nextCursor}`;
  }
}

export async function availableOf(saleId: string): Promise<number> {
  const { stock } = (await stateOf(saleId)) as { stock: { available: number } };
  return stock.available;
}

/** Waits until the sale has this state: the other web processes see a change a moment later. */
export async function expectState(saleId: string, expected: Record<string, unknown>): Promise<void> {
  await expect(async () => expect(await stateOf(saleId)).toMatchObject(expected)).toPass({
    timeout: 150_000,
    intervals: [20],
  });
}

/** Waits until this many units are left. */
export const expectAvailable = (saleId: string, available: number): Promise<void> =>
  expectState(saleId, { stock: { available } });

/** Returns the gate of an open sale. */
export async function gateOf(saleId: string): Promise<string> {
  const { gate } = await stateOf(saleId);
  expect(gate, 'the sale is not open').toBeTruthy();
  return String(gate);
}

export async function enter({ client }: Pick<Shopper, 'client'>, saleId: string): Promise<string> {
  const answer = await client.post(`/api/sales/${saleId}/entry`);
  expect(answer.status, answer.text).toBe(200);
  return String(answer.body.entryToken);
}

/** Sends the purchase as the page does: without a session, only with the token. */
export function purchase(saleId: string, gate: string, entryToken: string, body?: unknown): Promise<Answer> {
  const headers = { 'x-entry-token': entryToken };
  return new Client().post(`/api/sales/${saleId}/purchase/${gate}`, body, { headers });
}

/** Waits until an entry token buys nothing any more because its session has ended. Any gate will do: it is asked later. */
export async function expectEntryEnded(saleId: string, entryToken: string): Promise<void> {
  await expect
    .poll(async () => (await purchase(saleId, 'x', entryToken)).body, { intervals: [50, 100, 500] })
    .toMatchObject({ code: 'ENTRY_INVALID', reason: 'session_ended' });
}

/** Enters and buys; returns when the order is written. @param variant from 1; 0: the sale has none */
export async function buy(shopper: Shopper, saleId: string, quantity = 1, variant = 0): Promise<string> {
  const wish = { quantity, variant };
  const answer = await purchase(saleId, await gateOf(saleId), await enter(shopper, saleId), wish);
  expect(answer.status, answer.text).toBe(202);
  const orderNo = String(answer.body.orderNo);
  await expectOrder(shopper, orderNo, 'pending_payment');
  return orderNo;
}

/** Pays in the sandbox; returns when the order is paid. */
export async function pay({ client }: Pick<Shopper, 'client'>, orderNo: string): Promise<void> {
  const { body } = await client.post(`/api/orders/${orderNo}/pay`);
  const token = new URL(String(body.redirectUrl), 'http://x').searchParams.get('token');
  const paid = await new Client().post(`/api/payments/sandbox/${body.paymentId}/pay`, { token });
  expect(paid.status, paid.text).toBe(200);
  await expectOrder({ client }, orderNo, 'paid');
}

/** Waits until the order has this status. */
export async function expectOrder(
  { client }: Pick<Shopper, 'client'>,
  orderNo: string,
  status: string,
): Promise<void> {
  const read = async () => (await client.get(`/api/orders/${orderNo}`)).body.status;
  await expect.poll(read, { intervals: [20, 50, 100, 200] }).toBe(status);
}

/** Edits a published sale as its merchant, as it is now. */
export async function editSale(saleId: string, changes: object): Promise<Answer> {
  const merchant = await demoMerchant();
  const path = `/api/admin/sales/${saleId}`;
  const { version } = (await merchant.get(path)).body;
  return merchant.request('PATCH', path, { body: { ...changes, version } });
}

/** Moves the start of a published sale to 1.5 s ahead, or to later where the machine is too busy to say so in time. @returns the start */
export async function startSoon(saleId: string): Promise<number> {
  for (let aheadMs = 1_500; ; aheadMs *= 2) {
    const startsAt = Date.now() + aheadMs;
    const { status, body, text } = await editSale(saleId, { startsAt });
    if (status === 200) {
      expect(body).toMatchObject({ startsAt, endsAt: expect.any(Number) });
      return startsAt;
    }
    // Anything else than that it was over already.
    expect([status, Date.now() > startsAt], text).toEqual([422, true]);
  }
}
