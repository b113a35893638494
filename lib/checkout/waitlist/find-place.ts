import 'server-only';
import { nowMs } from '@/lib/clock';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';
import { readBuyer } from '@/lib/stock/read-buyer';
import { findLatestPlace, type LatestPlace } from '@/lib/waitlist/find-latest';
import { type OwnPlace, readStanding } from '@/lib/waitlist/read-place';
import { keepRepeated } from '../purchase/keep-accepted';

/**
 * Finds how a shopper stands on a sale's waitlist. Those who wait are answered from Redis alone. Of the others Postgres says
 * what became of their latest place: Redis forgets that when it is loaded anew.
 * @returns null while Redis does not hold the sale, or has lost the place: a replica that took over may lack the last ones, until
 *   the sale is loaded anew. Nobody is told then that a place is gone.
 * @throws connection errors
 */
export async function findPlace(info: SaleInfo, userId: string): Promise<WaitlistPlace | null> {
  const { saleId } = info;
  const standing = await readStanding(saleId, userId);
  if (!standing) return null;
  const { place, waiting, epoch } = standing;
  const isOver = info.status === 'closed' || nowMs() >= info.endsAt;
  const shared = { waiting, isOpen: standing.isOpen && !isOver };
  const still = { ...shared, ahead: null, orderNo: null, askAgainMs: null };
  switch (place?.state) {
    case 'waiting':
      if (isOver) return { ...still, state: 'over' };
      return { ...still, state: 'waiting', ahead: place.ahead, askAgainMs: askAgainMs(place) };
    case 'given': {
      const { orderNo, jti } = place;
      // Whoever tells of a purchase remembers it, in case Redis loses it before it is in Postgres.
      keepRepeated({ saleId, epoch, orderNo, userId, quantity: 1, jti });
      return { ...still, state: 'given', orderNo };
    }
    case 'passed_over':
    case undefined: {
      const latest = await findLatestPlace(saleId, userId);
      // Redis passes over a place whose purchase was brought back after a loss: it has its unit.
      if (latest && (await wasGiven(saleId, userId, latest)))
        return { ...still, state: 'given', orderNo: latest.orderNo };
      if (!place && latest && latest.end === null) return null;
      return { ...still, state: place ? 'passed_over' : 'none' };
    }
  }
}

/** Tells whether a place has become an order, be it one that is not written yet. */
async function wasGiven(saleId: string, userId: string, { orderNo, end }: LatestPlace): Promise<boolean> {
  if (end === 'given') return true;
  return (await readBuyer(saleId, userId)).some((record) => record.orderNo === orderNo);
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
