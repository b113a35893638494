import 'server-only';
import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { unlessAllOut } from '@/lib/errors/unless-all-out';
import { log } from '@/lib/http/log';
import { dropChanges, readChanges } from '@/lib/reservation/records/read-changes';
import { writeChanges } from '@/lib/reservation/records/write-changes';

const BATCH = 1_000;
const MAX_SALES = 1_000;

/**
 * Writes the reservations and cancellations that wait in Redis into Postgres, sale by sale, in batches, until none is
 * left, and then removes them from Redis. Writing a change twice changes nothing, so workers that are killed, or that
 * do the same at once, do no harm. A worker calls it several times a second.
 * @returns how many changes were taken. @throws connection errors.
 */
export async function writeReservations(): Promise<number> {
  // A day after the last reservation could be made, none is on its way any more, whatever was down.
  const sales = await db().$queryRaw<{ id: string }[]>`
    SELECT id FROM sales
    WHERE status <> 'draft' AND strategy <> 'database' AND reservation_opens_at < now() + interval '1 hour'
      AND reservation_closes_at > now() - interval '1 day'
    ORDER BY reservation_closes_at LIMIT ${MAX_SALES}`;
  const counts = await unlessAllOut(
    sales.map(({ id }) =>
      writeSale(id).catch((err: unknown) => {
        // A sale that can't be written must not hold up the others.
        if (isOutage(err)) throw err;
        log.error({ saleId: id, err }, 'reservations could not be written');
        return 0;
      }),
    ),
    0,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function writeSale(saleId: string): Promise<number> {
  for (let written = 0; ; ) {
    const changes = await readChanges(saleId, BATCH);
    await writeChanges(saleId, changes);
    await dropChanges(saleId, changes);
    written += changes.length;
    if (changes.length < BATCH) return written;
  }
}
