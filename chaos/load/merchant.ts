import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random';
import type { ChaosSale } from '../sale';
import type { Web } from '../stack/start-stack';
import { ask } from './ask';
import type { Ledger, MerchantEntry } from './ledger';
import { ownHeaders, sessionCookie } from './sign-in';

/** What the merchant does at the desk, in ms from the beginning of the load. */
export type MerchantPlan = { atMs: number; act: 'pause' | 'restock'; delta: number; pausedMs: number };

type Desk = { sale: ChaosSale; webs: readonly Web[]; ledger: Ledger; random: Random; closesAt: number };

const RETRY_MS = 300;
const PUBLISH_TIMEOUT_MS = 120_000;

/** Four to nine acts. */
export function planMerchant(random: Random, loadMs: number): MerchantPlan[] {
  const plan = Array.from({ length: random.int(4, 9) }, (): MerchantPlan => {
    const act = random.chance(0.25) ? 'pause' : 'restock';
    const delta = random.chance(0.6) ? random.int(5, 30) : -random.int(2, 10);
    return { atMs: random.int(500, loadMs), act, delta, pausedMs: random.int(300, 1_200) };
  });
  return plan.sort((a, b) => a.atMs - b.atMs);
}

/** Publishes the sale, again and again until somebody says that it is. @throws when nobody does for two minutes. */
export async function publish(desk: Desk): Promise<void> {
  const cookie = await sessionCookie(desk.sale.merchantId);
  const deadline = Date.now() + PUBLISH_TIMEOUT_MS;
  while ((await tell(desk, cookie, 'publish')) !== 'done') {
    if (Date.now() > deadline) throw new Error(`not published: ${desk.ledger.merchant.at(-1)?.detail}`);
    await sleep(RETRY_MS);
  }
}

/** Acts one after the other. At the end the sale is not paused, unless nobody could be told until `closesAt`. */
export async function runMerchant(
  desk: Desk,
  plan: readonly MerchantPlan[],
  elapsedMs: () => number,
): Promise<void> {
  const cookie = await sessionCookie(desk.sale.merchantId);
  for (const { atMs, act, delta, pausedMs } of plan) {
    await sleep(Math.max(0, atMs - elapsedMs()));
    if (act === 'restock') {
      // Not again when it stays open whether it was done: twice would be twice.
      await tell(desk, cookie, 'restock', delta);
      continue;
    }
    await tell(desk, cookie, 'pause');
    await sleep(pausedMs);
    while ((await tell(desk, cookie, 'resume')) === 'unknown' && Date.now() < desk.closesAt) {
      await sleep(RETRY_MS);
    }
  }
}

async function tell(
  { sale, webs, ledger, random }: Desk,
  cookie: string,
  act: MerchantEntry['act'],
  delta = 0,
): Promise<MerchantEntry['result']> {
  const { origin } = random.pick(webs);
  const reply = await ask(`${origin}/api/admin/sales/${sale.saleId}/${act === 'restock' ? 'stock' : act}`, {
    method: 'POST',
    headers: ownHeaders(cookie, origin),
    body: act === 'restock' ? JSON.stringify({ delta, reason: 'chaos' }) : '{}',
  });
  const { askedAt, answeredAt } = reply;
  const isAnswered = reply.kind === 'answered';
  const result =
    isAnswered && reply.httpStatus === 200
      ? 'done'
      : isAnswered && reply.httpStatus < 500
        ? 'refused'
        : 'unknown';
  const detail = isAnswered ? `${reply.httpStatus} ${reply.body.code ?? ''}`.trim() : reply.error;
  ledger.merchant.push({ askedAt, answeredAt, act, delta, result, detail });
  return result;
}
