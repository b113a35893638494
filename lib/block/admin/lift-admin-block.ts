import 'server-only';
import { type Actor, demand } from '@/lib/actor/actor';
import { liftBlock } from '@/lib/block/lift-block';
import type { BlockView } from '@/lib/contract/shapes/block';
import { recordLift } from './record-block';

/**
 * Ends a block for an operator. Calling it again changes nothing. @returns the block as it is now; null if there is
 * none.
 */
export function liftAdminBlock(actor: Actor, id: string): Promise<BlockView | null> {
  demand(actor, 'operator');
  return liftBlock(id, actor.userId, (tx, before) => recordLift(tx, actor, before));
}
