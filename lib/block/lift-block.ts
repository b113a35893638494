import 'server-only';
import type { BlockView } from '@/lib/contract/shapes/block';
import type { BlockKind } from '@/lib/contract/words/block';
import { type Db, db } from '@/lib/db/client';
import { changeBlocks } from './change-blocks';
import { toView } from './types';

/**
 * Ends a block, in every process within a second, in this one at once. Lifting it again changes nothing.
 * @param id decimal, from `BlockView`. @param by user id, or `rule:<id>`
 * @param alongside more work for the transaction; called last in it, with the block as it was, unless it was lifted
 *   before.
 * @returns the block as it is now; null if there is none.
 */
export async function liftBlock(
  id: string,
  by: string,
  alongside?: (tx: Db, before: BlockView) => Promise<void>,
): Promise<BlockView | null> {
  if (!/^\d{1,18}$/.test(id)) return null;
  await changeBlocks(async (tx) => {
    const before = await tx.block.findUnique({ where: { id: BigInt(id), liftedAt: null } });
    if (!before) return;
    await tx.$executeRaw`
      UPDATE blocks SET lifted_at = now(), lifted_by = ${by}, change = nextval('blocks_change_seq')
      WHERE id = ${BigInt(id)}`;
    await alongside?.(tx, toView(before));
  });
  const row = await db().block.findUnique({ where: { id: BigInt(id) } });
  return row && toView(row);
}

/** Ends the block of one subject, if it has one; for use inside `changeBlocks`. @param by user id */
export async function liftLive(
  tx: Db,
  { kind, value }: { kind: BlockKind; value: string },
  by: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE blocks SET lifted_at = now(), lifted_by = ${by}, change = nextval('blocks_change_seq')
    WHERE kind = ${kind} AND value = ${value} AND lifted_at IS NULL`;
}
