import 'server-only';
import { type Actor, mayWorkOn } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';
import { hastenMessage } from '@/lib/outbox/hasten-message';

type RetryMessageResult =
  /** The message is due: a worker tries it within a second. */
  | { status: 'due' }
  /** The message has not failed, or is being tried just now. */
  | { status: 'not_waiting' }
  | { status: 'not_found' };

/** Retries a failed message now instead of at its next turn. @param id decimal @throws NotAllowedError as `mayWorkOn` */
export async function retryMessage(actor: Actor, id: string): Promise<RetryMessageResult> {
  if (!/^\d{1,18}$/.test(id)) return { status: 'not_found' };
  return transaction(async (tx): Promise<RetryMessageResult> => {
    const message = await tx.outgoingMessage.findFirst({
      where: { id: BigInt(id), sentAt: null },
      select: { payload: true },
    });
    if (!message) return { status: 'not_found' };
    const { saleId = null } = message.payload as { saleId?: string };
    if (!(await mayWorkOn(actor, saleId, tx))) return { status: 'not_found' };
    const hastened = await hastenMessage(tx, BigInt(id));
    if (!hastened) return { status: 'not_waiting' };
    const { topic, attempts, nextAttemptAt } = hastened;
    await recordAction(tx, actor, {
      action: 'message.retry',
      subject: { kind: 'message', id },
      before: { topic, attempts, nextTryAt: nextAttemptAt.getTime() },
      after: { nextTryAt: Date.now() },
    });
    return { status: 'due' };
  });
}
