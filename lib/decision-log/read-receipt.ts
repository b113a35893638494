import 'server-only';
import type { LogReceipt } from '@/lib/contract/shapes/decision-log';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { openingOf, pseudonymOf } from '@/lib/ids/pseudonym';
import { readLatestHead } from './read-heads';
import { LogTiles } from './tiles';
import { NOBODY } from './to-leaf';

/** A person has some ten decisions in a sale: refusals of one kind are one. */
const MAX_ENTRIES = 500;

const SAYS =
  'Proof of fairness: each leaf is a decision of the sale about the person and orders named here. Check it without the shop: open the page /prove and drop this file, or run "npm run prove -- --receipt FILE". docs/FAIRNESS.md says what it proves and what it cannot.';

/**
 * Makes the receipt of a person's decisions in a sale: each with the proof that it is in the log under the latest head.
 * @param orderNos of that person's orders in the sale: they are opened in the receipt
 * @returns null while no decision about the person is under a signed head.
 */
export async function readReceipt(
  saleId: string,
  userId: string,
  orderNos: readonly string[],
): Promise<LogReceipt | null> {
  const [head, log] = await Promise.all([
    readLatestHead(saleId),
    db().decisionLog.findUnique({ where: { saleId } }),
  ]);
  if (!head || !log) return null;
  const key = await db().logKey.findUniqueOrThrow({ where: { id: head.keyId } });
  const person = openingOf(log.pseudonymKey, userId);
  const leaves = await db().decisionLeaf.findMany({
    where: { saleId, who: { in: [pseudonymOf(person), NOBODY] }, index: { lt: head.size } },
    orderBy: { index: 'asc' },
    take: MAX_ENTRIES,
  });
  if (leaves.every(({ who }) => who === NOBODY)) return null;
  const openings = new Map(
    orderNos.map((orderNo) => {
      const opening = openingOf(log.pseudonymKey, orderNo);
      return [pseudonymOf(opening), opening];
    }),
  );
  const tiles = new LogTiles(db(), saleId);
  const entries: LogReceipt['entries'] = [];
  for (const { index, leaf } of leaves) {
    const proof = await tiles.inclusion(Number(index), head.size);
    const order = openings.get((JSON.parse(leaf) as { order?: string }).order ?? '');
    entries.push({
      index: Number(index),
      leaf,
      proof: proof.map((hash) => hash.toString('base64url')),
      ...(order ? { order } : {}),
    });
  }
  const { id, publicKey } = key;
  return { v: 1, says: SAYS, shop: env().publicUrl, head, key: { id, publicKey }, person, entries };
}
