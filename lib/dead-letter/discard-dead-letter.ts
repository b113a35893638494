import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import type { DeadLetterView } from '@/lib/contract/shapes/queue';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { findLetter } from './find-letter';
import { toView } from './list-dead-letters';
import { recordResolved, resolveDeadLetter } from './resolve-letter';

type DiscardResult =
  | { status: 'discarded'; deadLetter: DeadLetterView }
  | { status: 'resolved'; resolution: string | null }
  | { status: 'not_found' };

/** Closes a dead letter without another try; its units were released before. @param reason is kept with it */
export async function discardDeadLetter(actor: Actor, id: string, reason: string): Promise<DiscardResult> {
  const letter = await findLetter(actor, id);
  if (!letter) return { status: 'not_found' };
  const isNew = await transaction(async (tx) => {
    if (!(await resolveDeadLetter(tx, letter, `discarded: ${reason}`, actor))) return false;
    await recordResolved(tx, actor, letter, 'discard', reason);
    return true;
  });
  const now = await db().deadLetter.findUniqueOrThrow({ where: { id: letter.id } });
  return isNew
    ? { status: 'discarded', deadLetter: toView(now) }
    : { status: 'resolved', resolution: now.resolution };
}
