import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** A sale's settings as Redis holds them; NaN for a missing one. Times in ms; `limits` as `formatLimits` writes them. */
export type HeldSettings = {
  epoch: number;
  startsAt: number;
  endsAt: number;
  limit: number;
  paused: boolean;
  closed: boolean;
  requiresReservation: boolean;
  limits: string;
  /** True if people may join the waitlist; null: the sale has none. */
  isWaitlistOpen: boolean | null;
};

/**
 * Reads the settings by which Redis decides about a sale or one slice of it, so that they can be compared with Postgres.
 * @returns null if Redis doesn't hold it. @throws connection errors.
 */
export async function readSettings(stockId: string): Promise<HeldSettings | null> {
  const [epoch, startsAt, endsAt, limit, paused, closed, reservedOnly, limits, waitlist] =
    await stockRedis().hmget(
      keys.sale(stockId),
      'epoch',
      'startsAt',
      'endsAt',
      'limit',
      'paused',
      'closed',
      'reservedOnly',
      'limits',
      'waitlist',
    );
  if (epoch == null) return null;
  const number = (text: string | null | undefined) => (text == null ? Number.NaN : Number(text));
  return {
    epoch: number(epoch),
    startsAt: number(startsAt),
    endsAt: number(endsAt),
    limit: number(limit),
    paused: paused === '1',
    closed: closed === '1',
    requiresReservation: reservedOnly === '1',
    limits: limits ?? '',
    isWaitlistOpen: waitlist ? waitlist === '1' : null,
  };
}
