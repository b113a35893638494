import 'server-only';
import { z } from 'zod';
import { type BlockOutcome, blockSubjects } from '@/lib/block/block-subjects';
import { BLOCK_KINDS, MAX_REASON_LENGTH } from '@/lib/block/types';
import { db } from '@/lib/db/client';
import { type Actor, demand } from '../actor';
import { type DeskBlock, withEmails } from './list-desk-blocks';
import { recordBlock } from './record-block';

const MAX_TIME_MS = 4_102_444_800_000;

export const addBlockSchema = z.object({
  kind: z.enum(BLOCK_KINDS),
  /** Of an account its id or e-mail address. */
  value: z.string().trim().min(1).max(254),
  reason: z.string().trim().min(1).max(MAX_REASON_LENGTH),
  /** Epoch ms; null or left out: until it is lifted. */
  expiresAt: z.number().int().min(0).max(MAX_TIME_MS).nullish(),
});

export type AddBlockResult =
  | { status: 'blocked'; block: DeskBlock }
  | Extract<BlockOutcome, { status: 'refused' }>
  | { status: 'refused'; problem: 'unknown_user' };

/** Blocks one subject for an operator. An account must exist; it may be named by its e-mail address. */
export async function addBlock(
  actor: Actor,
  { kind, value, reason, expiresAt = null }: z.output<typeof addBlockSchema>,
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
  return { status: 'blocked', block: block as DeskBlock };
}

async function findUserId(idOrEmail: string): Promise<string | null> {
  const where = idOrEmail.includes('@') ? { email: idOrEmail.toLowerCase() } : { id: idOrEmail };
  return (await db().user.findUnique({ where, select: { id: true } }))?.id ?? null;
}
