import 'server-only';
import type { Db } from '@/lib/db/client';
import { digestNonces } from '@/lib/shuffle/digest-nonces';

/**
 * Fixes who came before the start and what their order follows from. Once done, it stays. Nobody can join meanwhile: the
 * line's row is locked. Reading the nonces of 200,000 people takes about half a second.
 * @param tx holds the lock of the line's row
 */
export async function shuffleLine(tx: Db, saleId: string): Promise<void> {
  const [row] = await tx.$queryRaw<{ early: number }[]>`
    SELECT coalesce(max(e.number) + 1, 0)::int AS early FROM line_entries e JOIN sales s ON s.id = e.sale_id
    WHERE e.sale_id = ${saleId} AND e.joined_at < s.starts_at`;
  const early = row?.early ?? 0;
  const digest = await digestNonces(await readNonces(tx, saleId, early));
  await tx.$executeRaw`
    UPDATE lines SET early = ${early}, nonces_digest = ${Buffer.from(digest)},
                     shuffled_at = clock_timestamp(), updated_at = now()
    WHERE sale_id = ${saleId} AND early IS NULL`;
}

const PAGE = 20_000;

/** Reads the nonces of the numbers below `count`, in their order. @throws if one is missing */
export async function readNonces(tx: Db, saleId: string, count: number): Promise<Uint8Array[]> {
  const nonces: Uint8Array[] = [];
  while (nonces.length < count) {
    const rows = await tx.$queryRaw<{ number: number; nonce: Uint8Array }[]>`
      SELECT number, nonce FROM line_entries
      WHERE sale_id = ${saleId} AND number >= ${nonces.length} AND number < ${count} ORDER BY number LIMIT ${PAGE}`;
    for (const { number, nonce } of rows) {
      if (number !== nonces.length) throw new Error(`${saleId} has no number ${nonces.length} in its line`);
      nonces.push(nonce);
    }
    if (rows.length === 0) throw new Error(`${saleId} has no number ${nonces.length} in its line`);
  }
  return nonces;
}
