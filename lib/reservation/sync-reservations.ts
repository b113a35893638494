import 'server-only';
import { unlessAllOut } from '@/lib/errors/unless-all-out';
import { findUntold, markTold } from '@/lib/reservation/records/find-changes';
import { putReservation } from '@/lib/reservation/records/put-reservation';

const BATCH = 500;
const ROUNDS = 100;

/**
 * Tells Redis of reservations that Postgres took while Redis was down, at most 50,000 at a time. Safe side by side and
 * repeatedly: Redis keeps the later change. A worker calls it once a second, for sales that start right after an
 * outage; shoppers who come sooner are looked up (`find-reservation.ts`).
 * @returns how many it told Redis of. @throws connection errors, Redis's as long as it is down.
 */
export async function syncReservations(): Promise<number> {
  let told = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const changes = await findUntold(BATCH);
    const puts = changes.map(({ saleId, ...change }) => putReservation(saleId, change).then(() => true));
    const isTold = await unlessAllOut(puts, false);
    const done = changes.filter((_, at) => isTold[at]);
    if (done.length > 0) await markTold(done);
    told += done.length;
    if (done.length < BATCH) break;
  }
  return told;
}
