import 'server-only';
import { randomBytes } from 'node:crypto';
import type { Db } from '@/lib/db/client';

/**
 * Makes a sale's line, with a seed that nobody knows and whose hash is public from then on. Again changes nothing.
 * @param tx the transaction that publishes the sale
 */
export async function createLine(tx: Db, saleId: string): Promise<void> {
  const seed = randomBytes(32);
  await tx.$executeRaw`
    INSERT INTO lines (sale_id, seed, seed_hash) VALUES (${saleId}, ${seed}, sha256(${seed}::bytea))
    ON CONFLICT (sale_id) DO NOTHING`;
}
