import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryToken } from '@/tools/harness/issue-entry-token';
import { look } from './look';
import type { Visit } from './shopper';

const POLL_MS = 150;
/** Statuses of a purchase that a queue has decided for its shopper. */
const IS_ORDER = new Set(['queued', 'pending_payment', 'paid', 'cancelled', 'failed', 'refunded']);

/**
 * Asks what became of a purchase that a queue has, until it is decided or the round closes. An acceptance is a promise
 * from the first answer on, so it goes into the ledger as an accepted purchase.
 * @param askedAt when the shopper pressed the button, epoch ms
 * @returns `accepted`, or the refusal's code; empty: no answer
 */
export async function awaitDecision(
  shopper: Visit,
  token: EntryToken,
  { orderNo, askedAt }: { orderNo: string; askedAt: number },
): Promise<string> {
  const { ledger, userId, plan, closesAt } = shopper;
  while (Date.now() < closesAt) {
    const seen = await look(shopper, token, orderNo);
    if (seen?.status.startsWith('no order: ')) return seen.status.slice('no order: '.length);
    if (seen && IS_ORDER.has(seen.status)) {
      const outcome = { kind: 'accepted', orderNo, replay: false } as const;
      const { jti } = token;
      const { quantity } = plan;
      ledger.purchases.push({ askedAt, answeredAt: Date.now(), web: '', userId, jti, quantity, outcome });
      return 'accepted';
    }
    await sleep(POLL_MS);
  }
  return '';
}
