import { setTimeout as delay } from 'node:timers/promises';
import { isOutage } from '@/lib/errors/is-outage';
import type { Purchase, PurchaseResult } from '../purchase-stock';
import { purchaseUnderLock } from '../purchase-under-lock';

/**
 * For tests: buys as a page does. Who did not get the lock in time, lost it on a slow machine, or met lock servers that
 * were too slow for a moment, comes again.
 */
export async function buyUnderLock(purchase: Purchase): Promise<PurchaseResult> {
  for (;;) {
    const result = await purchaseUnderLock(purchase).catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      return { status: 'busy' } as const;
    });
    if (result.status !== 'busy') return result;
    await delay(50);
  }
}
