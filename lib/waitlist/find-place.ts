import 'server-only';
import { nowMs } from '@/lib/clock';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';
import { readBuyer } from '@/lib/stock/read-buyer';
import { findLatestPlace } from '@/lib/waitlist/records/find-latest';
import { readList } from '@/lib/waitlist/records/read-list';
import { type OwnPlace, readPlace } from '@/lib/waitlist/records/read-place';

/**
 * Finds how a shopper stands on a sale's waitlist. Redis answers for every place that it knows. If it knows none, as
 * after a new loading, Postgres or the buyer's record tells whether the latest place got its unit.
 * @returns null while Redis does not hold the sale: then nobody is told that a place is gone.
 * @throws connection errors
 */
export async function findPlace(info: SaleInfo, userId: string): Promise<WaitlistPlace | null> {
  const { saleId } = info;
  const [list, place] = await Promise.all([readList(saleId), readPlace(saleId, userId)]);
  if (!list) return null;
  const isOver = info.status === 'closed' || nowMs() >= info.endsAt;
  const { waiting, variant } = place ?? { waiting: list.waiting, variant: 0 };
  const shared = { variant, waiting, isOpen: list.isOpen && !isOver };
  const still = { ...shared, ahead: null, orderNo: null, askAgainMs: null };
  switch (place?.state) {
    case 'waiting':
      if (isOver) return { ...still, state: 'over' };
      return { ...still, state: 'waiting', ahead: place.ahead, askAgainMs: askAgainMs(place) };
    case 'given':
      return { ...still, state: 'given', orderNo: place.orderNo };
    case 'passed_over':
      return { ...still, state: 'passed_over' };
    case undefined: {
      const given = await findGiven(saleId, userId);
      return given ? { ...still, state: 'given', ...given } : { ...still, state: 'none' };
    }
  }
}

/** Finds the order that a shopper's latest place has become. */
async function findGiven(
  saleId: string,
  userId: string,
): Promise<{ orderNo: string; variant: number } | null> {
  const latest = await findLatestPlace(saleId, userId);
  if (!latest) return null;
  const { orderNo, variant, wasGiven } = latest;
  if (wasGiven) return { orderNo, variant };
  const records = await readBuyer(saleId, userId);
  return records.some((record) => record.orderNo === orderNo) ? { orderNo, variant } : null;
}

/** From where on in the line, and how often, ms: 200,000 people ask 3,600 times a second in all. */
const PACES = [
  [10_000, 60_000],
  [1_000, 30_000],
  [100, 10_000],
  [10, 5_000],
] as const;
const SOONEST_MS = 3_000;

const askAgainMs = ({ ahead }: OwnPlace): number =>
  PACES.find(([from]) => (ahead ?? 0) >= from)?.[1] ?? SOONEST_MS;
