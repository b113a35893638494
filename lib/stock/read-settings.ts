import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** A sale's settings as Redis holds them. Times in ms; `limits` as `formatLimits` writes them. */
export type HeldSettings = {
  epoch: number;
  startsAt: number;
  endsAt: number;
  limit: number;
  paused: boolean;
  closed: boolean;
  requiresReservation: boolean;
  limits: string;
};

/**
 * What Redis goes by when it decides about a sale, for those who compare it with Postgres.
 * @returns null if Redis doesn't hold the sale. @throws connection errors.
 */
export async function readSettings(saleId: string): Promise<HeldSettings | null> {
  const [epoch, startsAt, endsAt, limit, paused, closed, reservedOnly, limits] = await stockRedis().hmget(
    keys.sale(saleId),
    ...['epoch', 'startsAt', 'endsAt', 'limit', 'paused', 'closed', 'reservedOnly', 'limits'],
  );
  if (epoch == null) return null;
  return {
    ...{ epoch: Number(epoch), startsAt: Number(startsAt), endsAt: Number(endsAt), limit: Number(limit) },
    ...{ paused: paused === '1', closed: closed === '1', requiresReservation: reservedOnly === '1' },
    limits: limits ?? '',
  };
}
