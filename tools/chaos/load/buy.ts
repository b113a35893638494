import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '@/tools/harness/ask';
import type { EntryToken } from '@/tools/harness/issue-entry-token';
import { awaitDecision } from './await-decision';
import type { PurchaseOutcome } from './ledger';
import type { Visit } from './shopper';

const MOST_TRIES = 12;
/** Answers after which a shopper presses the button again. */
const WORTH_ANOTHER_TRY = new Set([
  'NOT_STARTED',
  'PAUSED',
  'STOCK_UNAVAILABLE',
  'UNAVAILABLE',
  'INTERNAL',
  'NOT_DECIDED',
  '',
]);

/** The order's number; or null, and the last refusal's code. */
type Bought = { orderNo: string; code: '' } | { orderNo: null; code: string };

/** Presses the button until there is a definite answer; waits for the decision where a queue has the purchase. */
export async function buy(shopper: Visit, token: EntryToken): Promise<Bought> {
  const { plan, random, closesAt } = shopper;
  let code = '';
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const askedAt = Date.now();
    const clicks = plan.isDoubleClick ? 2 : 1;
    const outcomes = await Promise.all(Array.from({ length: clicks }, () => purchase(shopper, token)));
    const accepted = outcomes.find((outcome) => outcome.kind === 'accepted');
    if (accepted?.kind === 'accepted') return { orderNo: accepted.orderNo, code: '' };
    const codes = outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [outcome.code] : []));
    const undecided = outcomes.find((outcome) => outcome.kind === 'undecided');
    if (undecided?.kind === 'undecided') {
      const decision = await awaitDecision(shopper, token, { orderNo: undecided.orderNo, askedAt });
      if (decision === 'accepted') return { orderNo: undecided.orderNo, code: '' };
      codes.push(decision);
    }
    const final = codes.find((one) => !WORTH_ANOTHER_TRY.has(one));
    code = final ?? codes[0] ?? '';
    if (final !== undefined || Date.now() > closesAt) break;
    await sleep(random.int(100, 400));
  }
  return { orderNo: null, code };
}

/** Sends a purchase to any web process, and notes the answer. */
export async function purchase(shopper: Visit, { jti, entryToken }: EntryToken): Promise<PurchaseOutcome> {
  const { sale, webs, ledger, random, userId, plan } = shopper;
  const web = random.pick(webs);
  const { quantity } = plan;
  const reply = await ask(`${web.origin}/api/sales/${sale.saleId}/purchase/${sale.gate}`, {
    method: 'POST',
    headers: { 'x-entry-token': entryToken, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity }),
  });
  const { askedAt, answeredAt } = reply;
  const outcome: PurchaseOutcome =
    reply.kind === 'unanswered'
      ? { kind: 'unanswered', error: reply.error }
      : reply.httpStatus !== 202
        ? { kind: 'refused', httpStatus: reply.httpStatus, code: String(reply.body.code ?? '') }
        : reply.body.status === 'undecided'
          ? { kind: 'undecided', orderNo: String(reply.body.orderNo) }
          : { kind: 'accepted', orderNo: String(reply.body.orderNo), replay: reply.body.replay === true };
  ledger.purchases.push({ askedAt, answeredAt, web: web.name, userId, jti, quantity, outcome });
  return outcome;
}
