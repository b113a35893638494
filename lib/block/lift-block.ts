import 'server-only';
import { db } from '@/lib/db/client';
import { changeBlocks } from './change-blocks';
import { type BlockView, toView } from './types';

/**
 * Ends a block, in every process within a second, in this one at once. Lifting it again changes nothing.
 * @param id decimal, from `BlockView`. @param by user id, or `rule:<id>`
 * @returns the block as it is now; null if there is none.
 */
export async function liftBlock(id: string, by: string): Promise<BlockView | null> {
  if (!/^\d{1,18}$/.test(id)) return null;
  await changeBlocks(
    (tx) => tx.$executeRaw`
      UPDATE blocks SET lifted_at = now(), lifted_by = ${by}, change = nextval('blocks_change_seq')
      WHERE id = ${BigInt(id)} AND lifted_at IS NULL`,
  );
  const row = await db().block.findUnique({ where: { id: BigInt(id) } });
  return row && toView(row);
}
