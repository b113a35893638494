import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { closeDb } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { countInDatabase, countInRedis } from '@/lib/reservation/records/count-reserved';
import { findInRedis } from '@/lib/reservation/records/find-in-redis';
import { findRedis } from '@/scripts/infra/find-server.mjs';
import { anyFreePort } from '@/scripts/infra/ports.mjs';
import { startReaper } from '@/scripts/infra/reaper.mjs';
import { startRedis } from '@/scripts/infra/redis.mjs';
import { reservable, usersOf } from '@/test/support/reservable';
import { cancelReservation } from './cancel-reservation';
import { findReservation } from './find-reservation';
import { reserve } from './reserve';
import { syncReservations } from './sync-reservations';
import { writeReservations } from './write-reservations';

/** This file's own Redis, which the test stops. It keeps what it has acknowledged, as the product's does. */
const dir = mkdtempSync(join(tmpdir(), 'seckill-reserve-'));
const reaper = startReaper(dir);
let redis: Awaited<ReturnType<typeof startRedis>>;
let start: () => Promise<void>;

beforeAll(async () => {
  const options = {
    binary: findRedis({}),
    dir: join(dir, 'redis'),
    logFile: join(dir, 'redis.log'),
    port: await anyFreePort(),
    settings: { appendonly: 'yes', appendfsync: 'always', save: '' },
  };
  start = async () => {
    redis = await startRedis({ ...options, onSpawn: (child) => reaper.watch(child.pid) });
  };
  await start();
  process.env.REDIS_URL = redis.url;
});

afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
  await redis.stop();
  rmSync(dir, { recursive: true, force: true });
  reaper.dismiss();
});

/** Reserves as a page does: tries again when told that too many wait. */
async function reserveInTime(saleId: string, userId: string) {
  for (;;) {
    const answer = await reserve(saleId, userId);
    if (answer.status !== 'busy') return answer;
  }
}

it('[H4] while Redis is stopped reservations are kept, count at entry, and reach Redis once it is back', async () => {
  const { saleId } = await reservable({ entryOpensAt: Date.now() - 1_000 });
  const sale = { saleId, strategy: 'script' as const };
  const [early = '', quitter = '', late = '', stranger = '', ...crowd] = await usersOf(44);
  const first = await reserve(saleId, early);
  await reserve(saleId, quitter);
  await writeReservations();
  // Redis acknowledged this one, but Postgres does not have it yet when Redis stops.
  await reserve(saleId, late);

  await redis.stop();
  const answers = await Promise.all([...crowd, ...crowd].map((userId) => reserveInTime(saleId, userId)));
  const count = (status: string) => answers.filter((answer) => answer.status === status).length;
  expect([count('reserved'), count('already_reserved')]).toEqual([40, 40]);
  expect(await Promise.all([reserveInTime(saleId, early), cancelReservation(saleId, quitter)])).toEqual([
    { ...first, status: 'already_reserved' },
    { status: 'cancelled', cancelledAt: expect.any(Number) },
  ]);
  expect(await countInDatabase(saleId)).toBe(41);

  const enter = (userId: string) => issueEntry(saleId, { userId, level: 0 });
  expect(await Promise.all([enter(crowd[0] ?? ''), enter(quitter)])).toMatchObject([
    { status: 'entered' },
    { status: 'not_reserved' },
  ]);
  // Their reservations may be on the way to Postgres, so no store can answer yet.
  const unanswered = await Promise.allSettled([enter(late), enter(stranger), syncReservations()]);
  for (const { reason } of unanswered as PromiseRejectedResult[]) expect(isOutage(reason)).toBe(true);

  await start();
  await expect.poll(() => stockRedis().ping().catch(String)).toBe('PONG');
  // A shopper who comes before the worker has told Redis is looked up in Postgres.
  expect(await findInRedis(saleId, crowd[0] ?? '')).toBeNull();
  expect(await enter(crowd[0] ?? '')).toMatchObject({ status: 'entered' });
  expect(await cancelReservation(saleId, crowd[1] ?? '')).toMatchObject({ status: 'cancelled' });

  expect(await syncReservations()).toBe(41);
  expect(await syncReservations()).toBe(0);
  await writeReservations();
  expect(await countInRedis(saleId)).toBe(41);
  expect(await countInDatabase(saleId)).toBe(41);
  expect(await findReservation(sale, quitter)).toBeNull();
  expect(await findReservation(sale, crowd[1] ?? '')).toBeNull();
  expect(await enter(late)).toMatchObject({ status: 'entered' });
  expect(await enter(stranger)).toEqual({ status: 'not_reserved' });
});
