import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { makeDraft, makeUser } from '@/test/support/make-sale';
import { findInDatabase } from './find-in-database';
import { findInRedis } from './find-in-redis';
import { putReservation } from './put-reservation';
import type { ReservationChange } from './types';
import { writeChanges } from './write-changes';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** The changes of one user: reserved, cancelled, reserved again … */
const HISTORY: ReservationChange[] = [
  { userId: '', reservedAt: 1_000, cancelledAt: null },
  { userId: '', reservedAt: 1_000, cancelledAt: 2_000 },
  { userId: '', reservedAt: 2_001, cancelledAt: null },
  { userId: '', reservedAt: 2_001, cancelledAt: 2_002 },
  { userId: '', reservedAt: 9_000, cancelledAt: null },
];

let shift = 0;

it('[H1 E4] changes that come late, twice and in any order leave Redis and Postgres with the latest', async () => {
  const { sale } = await makeDraft();
  const { userId } = await makeUser();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(HISTORY.length - 1), { minLength: 1, maxLength: 12 }),
      fc.nat(4),
      async (order, batchSize) => {
        // Each run has a new user in Redis. Postgres needs a real user, so there each run starts over with later
        // times.
        const redisUser = newId('user');
        shift += 100_000;
        const laterMs = shift;
        const changes = order.map((at) => ({ ...(HISTORY[at] as ReservationChange) }));
        const shifted = changes.map(({ reservedAt, cancelledAt }) => ({
          userId,
          reservedAt: reservedAt + laterMs,
          cancelledAt: cancelledAt && cancelledAt + laterMs,
        }));
        for (const change of changes) await putReservation(sale.saleId, { ...change, userId: redisUser });
        for (let at = 0; at < shifted.length; at += batchSize + 1) {
          await writeChanges(sale.saleId, shifted.slice(at, at + batchSize + 1));
        }
        const latest = HISTORY[Math.max(...order)] as ReservationChange;
        const isStanding = latest.cancelledAt === null;
        expect(await findInRedis(sale.saleId, redisUser)).toBe(isStanding ? latest.reservedAt : null);
        expect(await findInDatabase(sale.saleId, userId)).toEqual({
          userId,
          reservedAt: latest.reservedAt + laterMs,
          cancelledAt: latest.cancelledAt && latest.cancelledAt + laterMs,
        });
      },
    ),
    { numRuns: 25 },
  );
});
