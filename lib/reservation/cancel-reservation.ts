import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { STRATEGIES } from '@/lib/contract/words/sale';
import { isOutage } from '@/lib/errors/is-outage';
import { limitRequest } from '@/lib/limit/limit-request';
import type { RateLimited } from '@/lib/redis/limit-policy';
import { cancelInDatabase } from '@/lib/reservation/records/cancel-in-database';
import { cancelInRedis } from '@/lib/reservation/records/cancel-in-redis';
import type { CancelResult as Cancelled, ReservationWindow } from '@/lib/reservation/records/types';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { findReservation } from './find-reservation';

type CancelReservationResult =
  | Exclude<Cancelled, { status: 'closed' }>
  | { status: 'sale_not_found' }
  | { status: 'rate_limited'; limited: RateLimited }
  /** `window` is null for a sale that takes no reservations. */
  | { status: 'closed'; window: ReservationWindow | null };

/**
 * Cancels a shopper's reservation while the window is open. From then on the shopper gets no entry token, and tokens
 * from before buy nothing, until the shopper reserves again. Cancelling again changes nothing.
 * @param client for the sale's limits; an address of null and an empty device are unknown
 * @throws connection errors. The outcome is then unknown: asking again tells it.
 */
export async function cancelReservation(
  saleId: string,
  userId: string,
  client: { address?: string | null; device?: string } = {},
): Promise<CancelReservationResult> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return { status: 'sale_not_found' };
  const window = sale.reservation;
  if (!window || sale.status === 'closed') return { status: 'closed', window };
  const limited = await limitRequest(sale, 'reservation', { address: null, ...client, userId });
  if (limited) return { status: 'rate_limited', limited };
  const result =
    STRATEGIES[sale.strategy].stock === 'postgres'
      ? await cancelInDatabase(saleId, userId, window.closesAt, true)
      : await inRedis(sale, userId, window);
  return result.status === 'closed' ? { status: 'closed', window } : result;
}

async function inRedis(sale: SaleInfo, userId: string, { closesAt }: ReservationWindow): Promise<Cancelled> {
  const { saleId } = sale;
  try {
    const result = await cancelInRedis(saleId, userId, closesAt);
    if (result.status !== 'not_reserved' || (await findReservation(sale, userId)) === null) return result;
    // The reservation was made while Redis was down. Redis has just been told of it.
    return await cancelInRedis(saleId, userId, closesAt);
  } catch (error) {
    if (!isOutage(error)) throw error;
    const result = await cancelInDatabase(saleId, userId, closesAt, false);
    // The reservation may still be on its way to Postgres.
    if (result.status === 'not_reserved') throw error;
    return result;
  }
}
