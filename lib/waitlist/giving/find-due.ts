import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import type { Due } from '@/lib/stock/giving';
import { readFirst } from '@/lib/waitlist/records/read-first';
import { findBarred } from './find-barred';

/** One release frees a unit or a few. If more of the first may not buy, a second step serves those behind them. */
const AT_A_RELEASE = 5;

/** Finds the first who wait for a unit, and asks who of them may still buy. @throws connection errors */
export async function findDue(saleId: string, most: number): Promise<Due[]> {
  const info = await findSaleInfo(saleId);
  if (!info?.waitlist) return [];
  const people = await readFirst(saleId, most);
  const barred = await findBarred(info, people);
  return people.map((person) => ({ ...person, barredBy: barred.get(person.userId) ?? null }));
}

/**
 * Finds who gets the units that an order is about to give back, in the same step. While that can't be found out, nobody does:
 * a worker serves them later.
 */
export async function findDueAtRelease(saleId: string): Promise<Due[]> {
  try {
    return await findDue(saleId, AT_A_RELEASE);
  } catch (err) {
    if (!isOutage(err)) throw err;
    log.warn({ saleId, err }, 'units are released without a look at those who wait');
    return [];
  }
}
