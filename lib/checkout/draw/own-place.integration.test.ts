import { afterAll, expect, it, vi } from 'vitest';
import { findOwnPlace } from '@/lib/checkout/line/own-place';
import { closeDb, db } from '@/lib/db/client';
import { forgetLine } from '@/lib/line/find-line';
import { closeRedis } from '@/lib/redis/client';
import { createDrawFixture } from './testing/draw-fixture';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const PEOPLE = 12;

it('[M4] tells nobody a place that was not drawn, also whoever asks while the draw is written', async () => {
  const { saleId, userIds } = await createDrawFixture({ users: PEOPLE, weights: 'level' });
  forgetLine(saleId);
  const asking = await db().$transaction(
    async (tx) => {
      // Whoever asks now reads the line once the draw is written. What else is read at the same time is read before.
      await tx.$executeRaw`LOCK TABLE lines IN ACCESS EXCLUSIVE MODE`;
      const asked = Promise.all(userIds.map((userId) => findOwnPlace(saleId, userId)));
      // Looks often: they wait for a few seconds at most.
      await vi.waitFor(
        async () => {
          const waiting = await db().$queryRaw<unknown[]>`
            SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%clock_timestamp() AS read_at%FROM lines%'`;
          expect(waiting.length).toBeGreaterThan(0);
        },
        { timeout: 60_000, interval: 2 },
      );
      await tx.$executeRaw`
        UPDATE line_entries SET place = ${PEOPLE}::int - 1 - number, weight = 1 + number % 3 WHERE sale_id = ${saleId}`;
      await tx.$executeRaw`
        UPDATE lines SET early = next_number, nonces_digest = sha256('drawn'), shuffled_at = clock_timestamp()
        WHERE sale_id = ${saleId}`;
      return { asked };
    },
    { timeout: 60_000 },
  );
  const places = await asking.asked;
  expect(places.map((own) => own?.place)).toEqual(userIds.map((_, number) => PEOPLE - 1 - number));
});
