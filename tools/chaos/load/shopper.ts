import { setTimeout as sleep } from 'node:timers/promises';
import { loadUserId } from '@/lib/load-test/create-load-users';
import { ask } from '@/tools/harness/ask';
import { type EntryToken, issueEntryToken } from '@/tools/harness/issue-entry-token';
import type { Random } from '@/tools/harness/random';
import type { Web } from '@/tools/harness/stack/start-stack';
import type { ChaosSale } from '../sale';
import { followOrder } from './follow-order';
import type { Ledger, PurchaseOutcome } from './ledger';
import type { ShopperPlan } from './plan-shopper';
import type { Provider } from './provider';

type Shop = {
  sale: ChaosSale;
  webs: readonly Web[];
  ledger: Ledger;
  provider: Provider;
  /** After this (epoch ms) no client tries anything again. */
  closesAt: number;
};

export type Visit = Shop & { plan: ShopperPlan; random: Random; userId: string };

const MOST_TRIES = 12;
/** Answers after which a shopper presses the button again. */
const WORTH_ANOTHER_TRY = new Set([
  'NOT_STARTED',
  'PAUSED',
  'STOCK_UNAVAILABLE',
  'UNAVAILABLE',
  'INTERNAL',
  '',
]);

/** Plays one shopper's visit, from the click on "buy" to the end of the last order. Never throws because of the shop. */
export async function visit(shop: Shop, plan: ShopperPlan, random: Random): Promise<void> {
  const shopper = { ...shop, plan, random, userId: loadUserId(plan.number) };
  for (let bought = 0; bought < (plan.buysTwice ? 2 : 1); bought += 1) {
    const token = issueEntryToken(shopper.userId, shop.sale.saleId);
    const orderNo = await buy(shopper, token);
    if (orderNo === null) return;
    await followOrder(shopper, token, orderNo);
    if (plan.asksAgain) await purchase(shopper, token);
  }
}

/** Presses the button until there is a definite answer. @returns the order's number, or null. */
async function buy(shopper: Visit, token: EntryToken): Promise<string | null> {
  const { plan, random, closesAt } = shopper;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const clicks = plan.isDoubleClick ? 2 : 1;
    const outcomes = await Promise.all(Array.from({ length: clicks }, () => purchase(shopper, token)));
    const accepted = outcomes.find((outcome) => outcome.kind === 'accepted');
    if (accepted?.kind === 'accepted') return accepted.orderNo;
    const isFinal = outcomes.some(
      (outcome) => outcome.kind === 'refused' && !WORTH_ANOTHER_TRY.has(outcome.code),
    );
    if (isFinal || Date.now() > closesAt) return null;
    await sleep(random.int(100, 400));
  }
  return null;
}

async function purchase(shopper: Visit, { jti, entryToken }: EntryToken): Promise<PurchaseOutcome> {
  const { sale, webs, ledger, random, userId, plan } = shopper;
  const web = random.pick(webs);
  const reply = await ask(`${web.origin}/api/sales/${sale.saleId}/purchase/${sale.gate}`, {
    method: 'POST',
    headers: { 'x-entry-token': entryToken, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: plan.quantity }),
  });
  const { askedAt, answeredAt } = reply;
  const outcome: PurchaseOutcome =
    reply.kind === 'unanswered'
      ? { kind: 'unanswered', error: reply.error }
      : reply.httpStatus === 202
        ? { kind: 'accepted', orderNo: String(reply.body.orderNo), replay: reply.body.replay === true }
        : { kind: 'refused', httpStatus: reply.httpStatus, code: String(reply.body.code ?? '') };
  ledger.purchases.push({
    askedAt,
    answeredAt,
    web: web.name,
    userId,
    jti,
    quantity: plan.quantity,
    outcome,
  });
  return outcome;
}
