import 'server-only';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Counts the users with a reservation in Redis. @throws connection errors. */
export const countInRedis = (saleId: string): Promise<number> => stockRedis().hlen(keys.reserved(saleId));

/** Counts the users with a reservation in Postgres. @throws connection errors. */
export const countInDatabase = (saleId: string): Promise<number> =>
  db().reservation.count({ where: { saleId, cancelledAt: null } });
