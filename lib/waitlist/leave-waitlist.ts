import 'server-only';
import { leaveInDatabase } from '@/lib/waitlist/records/leave-in-database';
import { leaveInRedis } from '@/lib/waitlist/records/leave-in-redis';
import { readPlaces } from '@/lib/waitlist/records/read-places';

/**
 * Gives a place up. Redis first, so that no unit comes any more; then Postgres; then Redis again, because a rebuild may have
 * read Postgres before and put the place back. A unit that came before stays, and so does its place, whose order may still be
 * on its way.
 * @throws connection errors; leaving again is harmless.
 */
export async function leaveWaitlist(saleId: string, userId: string): Promise<void> {
  await leaveInRedis(saleId, userId);
  const [{ place } = { place: null }] = await readPlaces(saleId, [userId]);
  await leaveInDatabase(saleId, userId, place?.state === 'given' ? place.number : null);
  await leaveInRedis(saleId, userId);
}
