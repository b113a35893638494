import 'server-only';
import { STRATEGIES } from '@/lib/contract/words/sale';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { limitRequest } from '@/lib/limit/limit-request';
import { takeTurn } from '@/lib/lock/take-turn';
import type { RateLimited } from '@/lib/redis/limit-policy';
import { reserveInDatabase } from '@/lib/reservation/records/reserve-in-database';
import { reserveInRedis } from '@/lib/reservation/records/reserve-in-redis';
import type { ReservationWindow, ReserveResult as Reserved } from '@/lib/reservation/records/types';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { limitMs } from '@/lib/time-limits';

/**
 * Bounds the reservations that wait for Postgres. Most of a process's 20 connections stay free for other work, even
 * with a crowd waiting here.
 */
const turns = () => ({ atOnce: 8, maxWaiting: 1_000, maxWaitMs: limitMs('reserveTurn') });

type ReserveResult =
  | Extract<Reserved, { reservedAt: number }>
  | { status: 'sale_not_found' | 'busy' }
  | { status: 'rate_limited'; limited: RateLimited }
  /** `window` is null for a sale that takes no reservations. */
  | { status: 'not_open' | 'closed'; window: ReservationWindow | null };

/**
 * Reserves for a signed-in shopper. Redis decides in one script, and Postgres learns of it in batches. While Redis is
 * down Postgres decides, and the worker tells Redis once it is back. Where the stock lives in Postgres, so do
 * reservations. Reserving again tells when the first reservation was made.
 * @param client for the sale's limits; an address of null and an empty device are unknown
 * @returns `busy` if too many wait for Postgres: ask again a little later.
 * @throws connection errors. The outcome is then unknown: asking again tells it.
 */
export async function reserve(
  saleId: string,
  userId: string,
  client: { address?: string | null; device?: string } = {},
): Promise<ReserveResult> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return { status: 'sale_not_found' };
  const window = sale.reservation;
  if (!window || sale.status === 'closed') return { status: 'closed', window };
  const limited = await limitRequest(sale, 'reservation', { address: null, ...client, userId });
  if (limited) return { status: 'rate_limited', limited };
  const result =
    STRATEGIES[sale.strategy].stock === 'postgres'
      ? await inDatabase(saleId, userId, window, true)
      : await inRedis(saleId, userId, window);
  switch (result.status) {
    case 'not_open':
    case 'closed':
      return { status: result.status, window };
    case 'backlogged':
      return { status: 'busy' };
    default:
      return result;
  }
}

async function inRedis(saleId: string, userId: string, window: ReservationWindow) {
  try {
    return await reserveInRedis(saleId, userId, window);
  } catch (err) {
    if (!isOutage(err)) throw err;
    log.warn({ saleId, err }, 'reserved without Redis');
    return inDatabase(saleId, userId, window, false);
  }
}

async function inDatabase(saleId: string, userId: string, window: ReservationWindow, isComplete: boolean) {
  const turn = await takeTurn('reserve-in-database', turns(), () =>
    reserveInDatabase(saleId, userId, window, isComplete),
  );
  return turn.status === 'done' ? turn.value : { status: 'busy' as const };
}
