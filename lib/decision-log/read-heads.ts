import 'server-only';
import type { LogHead, LogKey } from '@/lib/contract/shapes/decision-log';
import { db } from '@/lib/db/client';
import type { DecisionHead } from '@/prisma/generated/client';

/** The place of a head in its log: of two of the same size the final one is the later. */
export type HeadPlace = Pick<LogHead, 'size' | 'final'>;

/**
 * Reads the signed heads of a sale's log, the latest first.
 * @param before only heads before this one, unless null
 */
export async function readHeads(
  saleId: string,
  limit: number,
  before: HeadPlace | null = null,
): Promise<LogHead[]> {
  const smaller = before && { size: { lt: before.size } };
  const rows = await db().decisionHead.findMany({
    where: {
      saleId,
      ...(before?.final ? { OR: [smaller ?? {}, { size: before.size, isFinal: false }] } : smaller),
    },
    orderBy: [{ size: 'desc' }, { isFinal: 'desc' }],
    take: limit,
  });
  return rows.map(toHead);
}

/** Reads the latest head of a sale's log; null before the first. */
export const readLatestHead = async (saleId: string): Promise<LogHead | null> =>
  (await readHeads(saleId, 1))[0] ?? null;

/** Reads the public keys that have ever signed heads, the latest first. */
export async function readLogKeys(): Promise<LogKey[]> {
  const rows = await db().logKey.findMany({ orderBy: { since: 'desc' } });
  return rows.map(({ id, publicKey, since }) => ({ id, publicKey, since: since.getTime() }));
}

export const toHead = ({ saleId, size, isFinal, root, at, keyId, signature }: DecisionHead): LogHead => ({
  v: 1,
  sale: saleId,
  size: Number(size),
  root,
  at: at.getTime(),
  keyId,
  final: isFinal,
  signature,
});
