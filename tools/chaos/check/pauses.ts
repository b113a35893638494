import type { MerchantEntry } from '../load/ledger';

/**
 * Returns when a sale was certainly paused: from the answer "paused" until the merchant asked to resume. Epoch ms; Infinity:
 * nobody asked.
 */
export function pausesOf(merchant: readonly MerchantEntry[]): { from: number; until: number }[] {
  const acts = merchant.toSorted((one, other) => one.askedAt - other.askedAt);
  return acts.flatMap(({ act, result, answeredAt }, at) => {
    if (act !== 'pause' || result !== 'done') return [];
    const resumed = acts.slice(at + 1).find((later) => later.act === 'resume');
    return [{ from: answeredAt, until: resumed?.askedAt ?? Number.POSITIVE_INFINITY }];
  });
}
