import 'server-only';
import { db } from '@/lib/db/client';

/** Places of a sale's waitlist by their outcome, as Postgres has them. */
type PlaceCounts = { joined: number; given: number; left: number; passedOver: number };

/** Counts a sale's places. @throws connection errors */
export async function countPlaces(saleId: string): Promise<PlaceCounts> {
  const [counts] = await db().$queryRaw<PlaceCounts[]>`
    SELECT count(*)::int AS joined, count(given_at)::int AS given, count(left_at)::int AS "left",
           count(passed_at)::int AS "passedOver"
    FROM waitlist_entries WHERE sale_id = ${saleId}`;
  return counts ?? { joined: 0, given: 0, left: 0, passedOver: 0 };
}
