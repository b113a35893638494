import 'server-only';
import { type Actor, mayWorkOn } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { Db } from '@/lib/db/client';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import type { DeadLetter } from '@/prisma/generated/client';

/**
 * Marks a letter as dealt with. @returns false if it was so already
 * @throws NotAllowedError also if the actor has just lost the right
 */
export async function resolveDeadLetter(
  tx: Db,
  { id, saleId }: DeadLetter,
  resolution: string,
  actor: Actor,
): Promise<boolean> {
  if (!(await mayWorkOn(actor, saleId, tx))) throw new NotAllowedError('FORBIDDEN', 'work');
  const { count } = await tx.deadLetter.updateMany({
    where: { id, resolvedAt: null },
    data: { resolvedAt: new Date(), resolution, resolvedBy: actor.userId },
  });
  return count === 1;
}

/** Records that a letter was dealt with; call it last in the transaction. @param reason in the actor's words */
export const recordResolved = (
  tx: Db,
  actor: Actor,
  letter: DeadLetter,
  how: 'retry' | 'discard',
  reason?: string,
) =>
  recordAction(tx, actor, {
    action: `dead_letter.${how}`,
    subject: { kind: 'dead_letter', id: String(letter.id) },
    before: {
      state: 'open',
      consumer: letter.consumer,
      saleId: letter.saleId,
      orderNo: letter.orderNo?.toString(),
    },
    after: { state: how === 'retry' ? 'retried' : 'discarded' },
    reason,
  });
