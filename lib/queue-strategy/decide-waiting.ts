import 'server-only';
import { findBlock } from '@/lib/block/find-block';
import { keepAccepted } from '@/lib/loading/keep-accepted';
import { isReplayDue, replayAccepted } from '@/lib/loading/replay-accepted';
import { countAttempt } from '@/lib/metrics/attempts';
import { refusalOf } from '@/lib/refusal/refusal-of';
import { rememberRefusal } from '@/lib/refusal/remember-refusal';
import { noteRisk } from '@/lib/risk/noted';
import { decideQueue, type QueueDecision } from '@/lib/stock/decide-queue';
import type { PurchaseOrigin } from '@/lib/stock/enqueue-purchase';

const isBarred = (userId: string, { ip, device }: PurchaseOrigin): boolean =>
  findBlock({ userId, device, address: () => ip || null }) !== null;

/**
 * Decides some of the purchases that wait in a sale's queue, the oldest first, and counts each attempt once. This process
 * remembers those it accepted, as a web process does, in case Redis loses them. Purchases that Redis has lost go first. Nobody
 * who was blocked while waiting gets a unit, in a process that watches the blocklist.
 * @param epoch of the loading that Postgres knows
 * @returns how many were decided. @throws StockCorruptError, connection errors
 */
export async function decideWaiting({ saleId, epoch }: { saleId: string; epoch: number }): Promise<number> {
  if (isReplayDue(saleId, epoch)) await replayAccepted(saleId, epoch);
  const decisions = await decideQueue(saleId, isBarred);
  for (const decision of decisions) {
    if (decision.result.status === 'accepted') {
      keepAccepted({ saleId, ...decision }, decision.result.acceptedAt);
      countAttempt(saleId, 'accepted');
    } else noteRefused(saleId, decision);
  }
  return decisions.length;
}

function noteRefused(saleId: string, { userId, origin, result }: QueueDecision): void {
  switch (result.status) {
    case 'accepted':
    case 'undecided':
      return;
    case 'replayed':
      countAttempt(saleId, 'replayed');
      return;
    case 'stale_epoch': {
      const code = isBarred(userId, origin) ? 'BLOCKED' : 'NOT_DECIDED';
      countAttempt(saleId, 'rejected', code);
      rememberRefusal({ saleId, userId }, 'purchase', code);
      return;
    }
    default: {
      const { code, outcome, available } = refusalOf(result, { limitPerUser: 0 });
      countAttempt(saleId, outcome, code);
      rememberRefusal({ saleId, userId }, 'purchase', code, available === undefined ? {} : { available });
      noteRisk('purchase_refusals', { user: userId, ...origin }, saleId);
    }
  }
}
