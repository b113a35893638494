import 'server-only';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** How many users' reservations stand, as Redis knows. @throws connection errors. */
export const countInRedis = (saleId: string): Promise<number> => stockRedis().hlen(keys.reserved(saleId));

/** How many users' reservations stand, as Postgres knows. @throws connection errors. */
export const countInDatabase = (saleId: string): Promise<number> =>
  db().reservation.count({ where: { saleId, cancelledAt: null } });
