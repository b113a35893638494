import type { Case, Violation } from './types';

/** Statuses that say that a purchase was accepted. */
const ACCEPTED = new Set(['queued', 'pending_payment', 'paid', 'cancelled', 'refunded', 'failed']);

/**
 * Checks that a queue answers every purchase once: undecided, then one decision that stays. A refusal is no order, and an
 * acceptance is one (`checkAccepted` finds those).
 */
export function checkQueue({ ledger, books, facts }: Case): Violation[] {
  if (facts.kind !== 'queue') return [];
  const found: Violation[] = [];
  const broken = (problem: string, orderNo: string) =>
    found.push({ rule: 'a queue answers once', problem, orderNos: [orderNo] });
  const asked = new Set(
    ledger.purchases.flatMap(({ outcome }) => (outcome.kind === 'undecided' ? [outcome.orderNo] : [])),
  );
  const orders = new Set(books.orders.map(({ orderNo }) => orderNo));
  const statuses = ledger.statuses.toSorted((one, other) => one.answeredAt - other.answeredAt);
  const decisions = new Map<string, { decision: string; answeredAt: number }>();
  for (const { orderNo, status, askedAt, answeredAt } of statuses) {
    if (!asked.has(orderNo) || status.startsWith('refused ')) continue;
    const earlier = decisions.get(orderNo);
    if (status === 'undecided') {
      if (earlier && askedAt > earlier.answeredAt)
        broken(`${orderNo} was ${earlier.decision}, and then undecided`, orderNo);
      continue;
    }
    const decision = ACCEPTED.has(status) ? 'accepted' : status;
    if (earlier && earlier.decision !== decision)
      broken(`${orderNo} was answered ${earlier.decision} and ${decision}`, orderNo);
    else if (!earlier) decisions.set(orderNo, { decision, answeredAt });
  }
  for (const orderNo of asked) {
    const { decision } = decisions.get(orderNo) ?? {};
    if (decision === undefined) broken(`${orderNo} was never decided`, orderNo);
    else if (decision !== 'accepted' && orders.has(orderNo))
      broken(`${orderNo} was answered ${decision}, and is an order`, orderNo);
  }
  return found;
}
