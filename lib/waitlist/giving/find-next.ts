import 'server-only';
import { variantNumbers } from '@/lib/contract/words/variant';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import type { NextWaiting } from '@/lib/stock/next-waiting';
import { readFirst } from '@/lib/waitlist/records/read-first';
import type { Free } from '@/lib/waitlist/records/read-free';
import { findBarred } from './find-barred';

/** One release frees a unit or a few. If more of the first may not buy, a second step serves those behind them. */
const AT_A_RELEASE = 5;
/** People in one call. */
const AT_ONCE = 500;

/**
 * Finds the first who wait for a unit of each variant, as many as there are units, 500 in all at most; and asks who of them
 * may still buy. @throws connection errors
 */
export async function findNext(saleId: string, free: readonly Free[]): Promise<NextWaiting[]> {
  const info = await findSaleInfo(saleId);
  if (!info?.waitlist) return [];
  const first = await Promise.all(
    free.map(({ variant, units }) => readFirst(saleId, variant, Math.min(units, AT_ONCE))),
  );
  const people = first.flat().slice(0, AT_ONCE);
  const barred = await findBarred(info, people);
  return people.map((person) => ({ ...person, barredBy: barred.get(person.userId) ?? null }));
}

/**
 * Finds who gets the units that an order is about to give back, in the same step. While that can't be found out, nobody does:
 * a worker serves them later.
 */
export async function findNextAtRelease(saleId: string): Promise<NextWaiting[]> {
  try {
    const info = await findSaleInfo(saleId);
    // Which variants an order had, only Redis says, in the same step.
    const free = variantNumbers(info?.variants ?? []).map((variant) => ({ variant, units: AT_A_RELEASE }));
    return await findNext(saleId, free);
  } catch (err) {
    if (!isOutage(err)) throw err;
    log.warn({ saleId, err }, 'units are released without a look at those who wait');
    return [];
  }
}
