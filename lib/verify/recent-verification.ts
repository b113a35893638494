import 'server-only';
import { nowMs } from '@/lib/clock';
import type { Verification } from './types';
import { verifySale } from './verify-sale';

const MAX_SALES = 100;
const FRESH_MS = 5000;
/** Verifying one sale takes at most this share of the time, however large the sale is. */
const MAX_DUTY = 0.2;

type Kept = { at: number; tookMs: number; verification: Verification | null; refreshing?: Promise<void> };
const kept = new Map<string, Kept>();

type RecentVerification = Verification & { checkedAt: number };

/**
 * Returns the latest verification of a sale, for a page that asks every second. All callers in this process share it.
 * A result older than 5 s is renewed in the background; a large sale is verified less often.
 * @returns null if there is no such sale.
 */
export async function recentVerification(saleId: string): Promise<RecentVerification | null> {
  const known = kept.get(saleId) ?? { at: 0, tookMs: 0, verification: null };
  const isStale = nowMs() - known.at > Math.max(FRESH_MS, known.tookMs / MAX_DUTY);
  if (isStale && !known.refreshing) {
    if (kept.size >= MAX_SALES) kept.clear();
    kept.set(saleId, known);
    known.refreshing = refresh(saleId, known).finally(() => {
      known.refreshing = undefined;
    });
    // Callers that wait get the error; a page that has an older result keeps showing that.
    known.refreshing.catch(() => {});
  }
  if (known.at === 0) await known.refreshing;
  if (!known.verification) {
    kept.delete(saleId);
    return null;
  }
  return { ...known.verification, checkedAt: known.at };
}

async function refresh(saleId: string, known: Kept): Promise<void> {
  const startedAt = nowMs();
  known.verification = await verifySale(saleId);
  known.at = nowMs();
  known.tookMs = known.at - startedAt;
}
