import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { makeUser } from '@/test/support/make-sale';
import { pruneNotifications } from './prune-notifications';

process.env.KEEP_NOTICES_DAYS = '40';

afterAll(closeDb);

it('[E9] deletes old notices in batches, read or not, and no others', async () => {
  const { userId } = await makeUser();
  await db().$executeRaw`
    INSERT INTO notifications (user_id, kind, order_id, message_id, read_at, created_at)
    SELECT ${userId}, 'order_paid', n, 'm' || n, CASE WHEN n % 2 = 0 THEN now() END,
           now() - make_interval(days => CASE WHEN n <= 7000 THEN 41 ELSE 39 END)
    FROM generate_series(1, 7010) AS n ORDER BY n`;
  expect(await pruneNotifications()).toBe(7_000);
  expect(await db().notification.count()).toBe(10);
  expect(await pruneNotifications()).toBe(0);
});
