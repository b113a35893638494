import 'server-only';
import type { PassedOver } from '@/lib/contract/words/draw';
import { transaction } from '@/lib/db/transaction';
import { limitMs } from '@/lib/time-limits';

/** The result of a draw. The arrays are by number. */
export type DrawResult = {
  noncesDigest: Uint8Array;
  beacon: string | null;
  /** The source that was asked; null: none is set. */
  beaconUrl: string | null;
  places: readonly number[];
  weights: readonly number[];
  passedOver: readonly (PassedOver | null)[];
};

/** A statement of 10,000 rows takes some 200 ms. */
const CHUNK = 10_000;

/**
 * Writes a draw's result, all of it or nothing, and only once: a second call finds it done.
 * @returns false if it had been drawn before. @throws Error if another number of people joined; connection errors
 */
export async function recordDraw(saleId: string, drawn: DrawResult): Promise<boolean> {
  const { places, weights, passedOver, beacon, beaconUrl } = drawn;
  return transaction(async (tx) => {
    const [line] = await tx.$queryRaw<{ next_number: number; is_drawn: boolean }[]>`
      SELECT next_number, shuffled_at IS NOT NULL AS is_drawn FROM lines
      WHERE sale_id = ${saleId} FOR NO KEY UPDATE`;
    if (!line || line.is_drawn) return false;
    if (line.next_number !== places.length)
      throw new Error(`${saleId} has ${line.next_number} entrants, not ${places.length}`);
    for (let from = 0; from < places.length; from += CHUNK) {
      const to = from + CHUNK;
      await tx.$executeRaw`
        UPDATE line_entries e SET place = d.place, weight = d.weight,
               passed_over = CASE WHEN e.left_at IS NOT NULL THEN 'left' ELSE d.passed_over END
        FROM unnest(${places.slice(from, to)}::int[], ${weights.slice(from, to)}::smallint[],
                    ${passedOver.slice(from, to)}::text[]) WITH ORDINALITY AS d (place, weight, passed_over, nth)
        WHERE e.sale_id = ${saleId} AND e.number = ${from}::int + d.nth::int - 1`;
    }
    await tx.$executeRaw`
      UPDATE lines SET early = next_number, nonces_digest = ${Buffer.from(drawn.noncesDigest)}, beacon = ${beacon},
             beacon_url = ${beaconUrl}, shuffled_at = clock_timestamp(), version = version + 1, updated_at = now()
      WHERE sale_id = ${saleId}`;
    return true;
  }, limitMs('drawResult'));
}
