import 'server-only';
import { db } from '@/lib/db/client';
import { readLatestHead } from './read-heads';
import { LogTiles } from './tiles';

/**
 * Proves that the log of `from` leaves is the beginning of that of `to` leaves.
 * @returns null unless 1 ≤ from ≤ to ≤ the size of the latest head.
 */
export async function readConsistency(saleId: string, from: number, to: number): Promise<string[] | null> {
  const head = await readLatestHead(saleId);
  if (!head || from > to || to > head.size) return null;
  const proof = await new LogTiles(db(), saleId).consistency(from, to);
  return proof.map((hash) => hash.toString('base64url'));
}
