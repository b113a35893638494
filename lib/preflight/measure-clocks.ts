import 'server-only';
import { nowMs } from '@/lib/clock';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';

const SAMPLES = 5;

/** Bounds in ms between which a clock is ahead of this process's. */
type Ahead = { min: number; max: number };

/**
 * Measures how far the clocks of Redis and Postgres are from this process's. Each answer was given at some time
 * between request and reply; the bounds are what several of them have in common (Cristian, "Probabilistic clock
 * synchronization", 1989). A busy machine makes the bounds wide, never wrong.
 */
export async function measureClocks(): Promise<{ redis: Ahead; postgres: Ahead }> {
  const [redis, postgres] = await Promise.all([
    measure(async () => {
      const [sec, micros] = await stockRedis().time();
      return Number(sec) * 1_000 + Number(micros) / 1_000;
    }),
    measure(async () => {
      const [row] = await db().$queryRaw<{ now: number }[]>`
        SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`;
      return row?.now ?? Number.NaN;
    }),
  ]);
  return { redis, postgres };
}

async function measure(ask: () => Promise<number>): Promise<Ahead> {
  const ahead = { min: -Infinity, max: Infinity };
  for (let i = 0; i < SAMPLES; i += 1) {
    const before = nowMs();
    const told = await ask();
    ahead.min = Math.max(ahead.min, told - nowMs());
    ahead.max = Math.min(ahead.max, told - before);
  }
  return ahead;
}

/** Returns by how many ms the clocks differ at least: 0 if they may be the same. */
export const surelyApart = ({ min, max }: Ahead): number => Math.max(0, min, -max);

/** Returns how far the first clock is ahead of the second, both seen from here. */
export const differenceOf = (a: Ahead, b: Ahead): Ahead => ({ min: a.min - b.max, max: a.max - b.min });
