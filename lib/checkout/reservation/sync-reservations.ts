import 'server-only';
import { findUntold, markTold } from '@/lib/reservation/find-changes';
import { putReservation } from '@/lib/reservation/put-reservation';

const BATCH = 500;
const ROUNDS = 100;

/**
 * Tells Redis of the reservations that Postgres took while Redis was down, at most 50,000 at a time. Safe side by
 * side and repeatedly: Redis keeps the later change. A worker calls it once a second, so that a sale that starts
 * right after an outage sells to those who reserved in it. Shoppers who come sooner are looked up
 * (`find-reservation.ts`).
 * @returns how many it told Redis of. @throws connection errors, Redis's as long as it is down.
 */
export async function syncReservations(): Promise<number> {
  let told = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const changes = await findUntold(BATCH);
    await Promise.all(changes.map(({ saleId, ...change }) => putReservation(saleId, change)));
    if (changes.length > 0) await markTold(changes);
    told += changes.length;
    if (changes.length < BATCH) break;
  }
  return told;
}
