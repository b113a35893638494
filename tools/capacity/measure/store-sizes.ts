import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { median } from '@/tools/bench/stats';

const SYNCS = 21;

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

/** Measures how long the disk of a folder takes to write and sync so many bytes, in µs; median. */
export function syncUs(dir: string, bytes: number): number {
  const text = Buffer.alloc(Math.max(1, Math.round(bytes)), 'x');
  const file = openSync(join(dir, 'sync'), 'w');
  try {
    const times = Array.from({ length: SYNCS }, () => {
      const from = performance.now();
      writeSync(file, text);
      fdatasyncSync(file);
      return (performance.now() - from) * 1_000;
    });
    return median(times);
  } finally {
    closeSync(file);
  }
}
