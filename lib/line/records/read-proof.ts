import 'server-only';
import { type LineProof, PROOF_PAGE } from '@/lib/contract/shapes/line-proof';
import type { PassedOver } from '@/lib/contract/words/draw';
import type { SaleAdmission } from '@/lib/contract/words/sale';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { placesOf } from './places';
import { pseudonymOf } from './pseudonym';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

type Row = {
  number: number;
  user_id: string;
  nonce: Uint8Array;
  weight: number;
  variant: number;
  place: number | null;
  passed_over: PassedOver | null;
  has_left: boolean;
};

/**
 * Reads a page of the proof of a line's order; only the hash of the seed as long as there is no order. Of a draw the places
 * are those that were written, of a waiting room those that follow.
 * @param from the first number of the page
 * @returns null if the sale has no line. @throws connection errors
 */
export async function readProof(
  { saleId, admission }: { saleId: string; admission: SaleAdmission },
  from: number,
): Promise<LineProof | null> {
  const line = await db().line.findUnique({ where: { saleId } });
  if (!line) return null;
  const head = { saleId, admission, seedHash: hex(line.seedHash) };
  const { early, noncesDigest, shuffledAt, beacon, beaconUrl } = line;
  if (early === null || !noncesDigest || !shuffledAt)
    return { ...head, shuffle: null, entries: [], next: null };
  const used = { seed: hex(line.seed), noncesDigest: hex(noncesDigest), beacon };
  const places = ADMISSIONS[admission].isDrawn ? null : await placesOf({ saleId, early, shuffledWith: used });
  const rows = await db().$queryRaw<Row[]>`
    SELECT number, user_id, nonce, weight, variant, place, passed_over, left_at IS NOT NULL AS has_left FROM line_entries
    WHERE sale_id = ${saleId} AND number >= ${from} AND number < ${Math.min(early, from + PROOF_PAGE)} ORDER BY number`;
  const next = from + PROOF_PAGE;
  return {
    ...head,
    shuffle: { ...used, beaconUrl, count: early, shuffledAt: shuffledAt.getTime() },
    entries: rows.map((row) => ({
      number: row.number,
      pseudonym: pseudonymOf(line.pseudonymKey, saleId, row.user_id),
      nonce: hex(row.nonce),
      weight: row.weight,
      variant: row.variant,
      place: places ? places.placeOf(row.number) : (row.place ?? -1),
      passedOver: places ? (row.has_left ? 'left' : null) : row.passed_over,
    })),
    next: next < early ? next : null,
  };
}
