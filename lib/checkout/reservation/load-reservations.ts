import 'server-only';
import type { Db } from '@/lib/db/client';
import { streamChanges } from '@/lib/reservation/find-changes';
import { putReservation } from '@/lib/reservation/put-reservation';
import { readChanges } from '@/lib/reservation/read-changes';
import type { ReservationChange } from '@/lib/reservation/types';

const PAGE = 2_000;

/**
 * Brings every reservation of a sale back into Redis: what Postgres knows, and what waits in the surviving stream for
 * Postgres. Of each user the latest change counts, so nobody has to stop reserving meanwhile, and what an older copy of
 * Redis has forgotten or brought back is put right. For a rebuild, before the sale sells again.
 * @throws connection errors; the next call begins anew.
 */
export async function loadReservations(tx: Db, saleId: string): Promise<void> {
  for await (const page of streamChanges(tx, saleId)) await putAll(saleId, page);
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
