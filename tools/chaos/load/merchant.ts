import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '@/tools/harness/ask';
import type { Random } from '@/tools/harness/random';
import type { Web } from '@/tools/harness/stack/start-stack';
import type { ChaosSale } from '../sale';
import { askAny } from './ask-any';
import type { Ledger, MerchantEntry } from './ledger';

/** The merchant's planned acts in the admin area, in ms from the beginning of the load. */
type MerchantPlan = {
  atMs: number;
  act: 'pause' | 'restock' | 'reprice';
  /** Units, or the new price in minor units. */
  delta: number;
  pausedMs: number;
};

type Admin = { sale: ChaosSale; webs: readonly Web[]; ledger: Ledger; random: Random; closesAt: number };

const RETRY_MS = 300;
const PUBLISH_TIMEOUT_MS = 120_000;

/** Plans eight to eighteen acts, half of them price changes of orders that wait for their money. */
export function planMerchant(random: Random, loadMs: number): MerchantPlan[] {
  const plan = Array.from({ length: random.int(8, 18) }, (): MerchantPlan => {
    const act = random.weighted({ pause: 1, restock: 3, reprice: 4 });
    const units = random.chance(0.6) ? random.int(5, 30) : -random.int(2, 10);
    const delta = act === 'reprice' ? random.int(1_000, 3_000) : units;
    return { atMs: random.int(500, loadMs), act, delta, pausedMs: random.int(300, 1_200) };
  });
  return plan.sort((a, b) => a.atMs - b.atMs);
}

/** Publishes the sale, and repeats the request until a web process confirms it. @throws if none does for two minutes. */
export async function publish(admin: Admin): Promise<void> {
  const deadline = Date.now() + PUBLISH_TIMEOUT_MS;
  while ((await tell(admin, 'publish')) !== 'done') {
    if (Date.now() > deadline) throw new Error(`not published: ${admin.ledger.merchant.at(-1)?.detail}`);
    await sleep(RETRY_MS);
  }
}

/**
 * Carries out the acts one after the other. At the end the sale is not paused, unless no web process took the request
 * to resume before `closesAt`.
 */
export async function runMerchant(
  admin: Admin,
  plan: readonly MerchantPlan[],
  elapsedMs: () => number,
): Promise<void> {
  for (const { atMs, act, delta, pausedMs } of plan) {
    await sleep(Math.max(0, atMs - elapsedMs()));
    if (act === 'reprice') {
      await reprice(admin, delta);
      continue;
    }
    if (act === 'restock') {
      // Asks once, even when the answer is lost: a second request would add the units twice.
      await tell(admin, 'restock', delta);
      continue;
    }
    await tell(admin, 'pause');
    await sleep(pausedMs);
    while ((await tell(admin, 'resume')) === 'unknown' && Date.now() < admin.closesAt) {
      await sleep(RETRY_MS);
    }
  }
}

/** Changes the price of one of the latest unpaid orders, whose shopper may be paying it at this moment. */
async function reprice(admin: Admin, priceMinor: number): Promise<void> {
  const { sale, ledger, random } = admin;
  const list = `/api/admin/orders?saleId=${sale.saleId}&status=pending_payment&limit=20`;
  const found = await askAny(admin, sale.merchantId, list, { method: 'GET' });
  const orders = found.kind === 'answered' && Array.isArray(found.body.orders) ? found.body.orders : [];
  if (orders.length === 0) return;
  const { orderNo, version } = random.pick(orders) as { orderNo: string; version: number };
  const change = { method: 'PATCH', body: { priceMinor, version } };
  const reply = await askAny(admin, sale.merchantId, `/api/admin/orders/${orderNo}`, change);
  ledger.merchant.push(entryOf(reply, 'reprice', priceMinor));
}

async function tell(admin: Admin, act: MerchantEntry['act'], delta = 0): Promise<MerchantEntry['result']> {
  const { sale, ledger } = admin;
  const path = `/api/admin/sales/${sale.saleId}/${act === 'restock' ? 'stock' : act}`;
  const body = act === 'restock' ? { delta, reason: 'chaos' } : {};
  const reply = await askAny(admin, sale.merchantId, path, { body });
  const entry = entryOf(reply, act, delta);
  ledger.merchant.push(entry);
  return entry.result;
}

function entryOf(reply: Reply, act: MerchantEntry['act'], delta: number): MerchantEntry {
  const { askedAt, answeredAt } = reply;
  if (reply.kind === 'unanswered')
    return { askedAt, answeredAt, act, delta, result: 'unknown', detail: reply.error };
  const { httpStatus, body } = reply;
  const result = httpStatus === 200 ? 'done' : httpStatus < 500 ? 'refused' : 'unknown';
  return { askedAt, answeredAt, act, delta, result, detail: `${httpStatus} ${body.code ?? ''}`.trim() };
}
