import 'server-only';
import { findUserId } from '@/lib/account/find-user-id';
import { type Actor, demand } from '@/lib/actor/actor';
import { type BlockOutcome, blockSubjects } from '@/lib/block/block-subjects';
import type { AdminBlock, NewBlock } from '@/lib/contract/shapes/block';
import { withEmails } from './list-admin-blocks';
import { recordBlock } from './record-block';

type AddBlockResult =
  | { status: 'blocked'; block: AdminBlock }
  | Extract<BlockOutcome, { status: 'refused' }>
  | { status: 'refused'; problem: 'unknown_user' };

/** Blocks one subject for an operator. An account must exist; its e-mail address may name it. */
export async function addBlock(
  actor: Actor,
  { kind, value, reason, expiresAt = null }: NewBlock,
): Promise<AddBlockResult> {
  demand(actor, 'operator');
  const named = kind === 'user' ? await findUserId(value) : value;
  if (named === null) return { status: 'refused', problem: 'unknown_user' };
  const request = { kind, value: named, reason, by: actor.userId, expiresAt };
  const [outcome] = await blockSubjects([request], Date.now(), async (tx, changed) => {
    for (const block of changed) await recordBlock(tx, actor, block);
  });
  if (!outcome) throw new Error('no outcome of a block');
  if (outcome.status === 'refused') return outcome;
  const [block] = await withEmails([outcome.block]);
  return { status: 'blocked', block: block as AdminBlock };
}
