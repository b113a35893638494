import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';

/** Returns the size of the database on disk, in bytes. */
export async function databaseBytes(): Promise<number> {
  const [row] = await db().$queryRaw<{ bytes: number }[]>`
    SELECT pg_database_size(current_database())::float8 AS bytes`;
  return row?.bytes ?? 0;
}

/** Returns how many bytes Postgres has written to its log since it was made. */
export async function walBytes(): Promise<number> {
  const [row] = await db().$queryRaw<{ bytes: number }[]>`
    SELECT (pg_current_wal_lsn() - '0/0')::float8 AS bytes`;
  return row?.bytes ?? 0;
}

/** Reads one number from Redis's `INFO persistence`. */
export async function redisFigure(name: string): Promise<number> {
  const info = await stockRedis().info('persistence');
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}
