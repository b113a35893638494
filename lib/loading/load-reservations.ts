import 'server-only';
import type { Db } from '@/lib/db/client';
import { streamReservations } from '@/lib/reservation/records/find-changes';
import { putReservation } from '@/lib/reservation/records/put-reservation';
import { readChanges } from '@/lib/reservation/records/read-changes';
import type { ReservationChange } from '@/lib/reservation/records/types';

const PAGE = 2_000;

/**
 * Loads every reservation of a sale back into Redis, from Postgres and from the surviving stream that waits for
 * Postgres. The latest change of each user counts. So shoppers can go on reserving meanwhile, and an older copy of
 * Redis is corrected, whether it forgot a reservation or brought one back. For a rebuild, before the sale sells
 * again.
 * @throws connection errors; the next call starts again.
 */
export async function loadReservations(tx: Db, saleId: string): Promise<void> {
  for await (const page of streamReservations(tx, saleId)) await putAll(saleId, page);
  for (let after: string | undefined; ; ) {
    const waiting = await readChanges(saleId, PAGE, after);
    await putAll(saleId, waiting);
    after = waiting.at(-1)?.entryId;
    if (after === undefined) return;
  }
}

async function putAll(saleId: string, changes: readonly ReservationChange[]): Promise<void> {
  await Promise.all(changes.map((change) => putReservation(saleId, change)));
}
