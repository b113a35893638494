import 'server-only';
import type { SignedLeaves } from '@/lib/contract/shapes/decision-log';
import { db } from '@/lib/db/client';
import { readLatestHead } from './read-heads';
import { LogTiles } from './tiles';
import { NOBODY } from './to-leaf';

/** A line commits once and is put in order once; more than that are a fault, and shown. */
const MOST = 20;

/**
 * Reads the leaves of a sale's log that concern everybody, the commitment of its line and the order, each with the proof
 * that it is under the latest head.
 * @returns null while none is under a signed head. @throws connection errors
 */
export async function readSharedLeaves(saleId: string): Promise<SignedLeaves | null> {
  const head = await readLatestHead(saleId);
  if (!head) return null;
  const [{ id, publicKey }, rows] = await Promise.all([
    db().logKey.findUniqueOrThrow({ where: { id: head.keyId } }),
    db().decisionLeaf.findMany({
      where: { saleId, who: NOBODY, index: { lt: head.size } },
      orderBy: { index: 'asc' },
      take: MOST,
    }),
  ]);
  if (rows.length === 0) return null;
  const tiles = new LogTiles(db(), saleId);
  const leaves: SignedLeaves['leaves'] = [];
  for (const { index, leaf } of rows) {
    const proof = await tiles.inclusion(Number(index), head.size);
    leaves.push({ index: Number(index), leaf, proof: proof.map((hash) => hash.toString('base64url')) });
  }
  return { head, key: { id, publicKey }, leaves };
}
