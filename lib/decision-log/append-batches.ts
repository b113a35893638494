import 'server-only';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { utf8 } from './proof/bytes';
import { leafInput } from './proof/merkle';
import { newPseudonymKey, nodeSha256 } from './pseudonym';
import { LogTiles } from './tiles';
import { createLeafMaker } from './to-leaf';

/** 500 decisions each at most: a transaction takes some 50 ms of the worker's processor. */
const BATCHES = 4;

/** A log as its locked row has it. */
type LockedLog = {
  size: bigint;
  signedAt: Date | null;
  signedSize: bigint;
  key: string;
  finalAt: Date | null;
};

/**
 * Locks the log of a sale for this transaction; makes it where there is none.
 * @returns null while another worker has it.
 */
export async function lockLog(tx: Db, saleId: string): Promise<LockedLog | null> {
  const read = () => tx.$queryRaw<LockedLog[]>`
    SELECT size, signed_size AS "signedSize", signed_at AS "signedAt", final_at AS "finalAt", pseudonym_key AS key
    FROM decision_logs WHERE sale_id = ${saleId} FOR UPDATE SKIP LOCKED`;
  const [log] = await read();
  if (log) return log;
  await tx.$executeRaw`
    INSERT INTO decision_logs (sale_id, pseudonym_key) VALUES (${saleId}, ${newPseudonymKey()})
    ON CONFLICT DO NOTHING`;
  return (await read())[0] ?? null;
}

/**
 * Appends the oldest waiting decisions of a sale to its log: gives them indexes, stores leaves and hashes, and deletes
 * what waited, all in one transaction. Decisions whose transaction commits late simply come with the next call: nothing
 * is skipped, because nothing is numbered before.
 * @returns how many batches were appended; 0 if none waits or another worker is at it.
 */
export function appendBatches(saleId: string): Promise<number> {
  return transaction(async (tx) => {
    const log = await lockLog(tx, saleId);
    if (!log) return 0;
    const batches = await tx.$queryRaw<{ id: string; decisions: unknown[] }[]>`
      SELECT id::text AS id, decisions FROM decision_batches WHERE sale_id = ${saleId}
      ORDER BY logged_at, id LIMIT ${BATCHES}`;
    if (batches.length === 0) return 0;
    const leaves = batches.flatMap(({ decisions }) => decisions).map(createLeafMaker(saleId, log.key));
    const size = Number(log.size);
    const tiles = new LogTiles(tx, saleId);
    for (const [at, { leaf }] of leaves.entries())
      await tiles.append(size + at, nodeSha256(leafInput(utf8(leaf))));
    await tiles.save();
    await tx.$executeRaw`
      INSERT INTO decision_leaves (sale_id, index, who, leaf)
      SELECT ${saleId}, ${log.size}::bigint + at - 1, who, leaf
      FROM unnest(${leaves.map(({ who }) => who)}::text[], ${leaves.map(({ leaf }) => leaf)}::text[])
             WITH ORDINALITY AS l (who, leaf, at)`;
    await tx.$executeRaw`DELETE FROM decision_batches WHERE id = ANY (${batches.map(({ id }) => id)}::text[]::uuid[])`;
    await tx.$executeRaw`
      UPDATE decision_logs
      SET size = size + ${leaves.length}::int, grown_at = CASE WHEN size = signed_size THEN now() ELSE grown_at END
      WHERE sale_id = ${saleId}`;
    return batches.length;
  });
}
