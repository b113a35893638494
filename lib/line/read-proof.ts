import 'server-only';
import { type LineProof, PROOF_PAGE } from '@/lib/contract/shapes/line-proof';
import type { SaleAdmission } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { placesOf } from './places';
import { readList } from './read-list';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * Reads a page of the proof of a line's order; only the hash of the seed as long as there is no order. Of a draw the places
 * are those that were written, of a waiting room those that follow.
 * @param from the first number of the page
 * @returns null if the sale has no line. @throws connection errors
 */
export async function readProof(
  { saleId, admission }: { saleId: string; admission: SaleAdmission },
  from: number,
): Promise<Omit<LineProof, 'signed'> | null> {
  const line = await db().line.findUnique({ where: { saleId } });
  if (!line) return null;
  const head = { saleId, admission, seedHash: hex(line.seedHash) };
  const { early, noncesDigest, shuffledAt, beacon, beaconUrl, pseudonymKey } = line;
  if (early === null || !noncesDigest || !shuffledAt)
    return { ...head, shuffle: null, entries: [], next: null };
  const used = { seed: hex(line.seed), noncesDigest: hex(noncesDigest), beacon };
  const places = admission === 'draw' ? null : await placesOf({ saleId, early, shuffledWith: used });
  const next = from + PROOF_PAGE;
  return {
    ...head,
    shuffle: { ...used, beaconUrl, count: early, shuffledAt: shuffledAt.getTime() },
    entries: await readList(
      db(),
      { saleId, pseudonymKey, placeOf: places?.placeOf ?? null },
      from,
      Math.min(early, next),
    ),
    next: next < early ? next : null,
  };
}
