import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { may } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { hastenMessage } from '@/lib/outbox/hasten-message';
import { ownSales } from './own-sales';

type RetryMessageResult =
  /** The message is due: a worker tries it within a second. */
  | { status: 'due' }
  /** The message has not failed, or is being tried just now. */
  | { status: 'not_waiting' }
  | { status: 'not_found' };

/** Retries a failed message now instead of at its next turn. @param id decimal */
export async function retryMessage(actor: Actor, id: string): Promise<RetryMessageResult> {
  if (!may(actor.role, 'manageSales') || !/^\d{1,18}$/.test(id)) return { status: 'not_found' };
  const message = await db().outgoingMessage.findFirst({
    where: { id: BigInt(id), sentAt: null },
    select: { payload: true },
  });
  const own = await ownSales(actor);
  const { saleId } = (message?.payload ?? {}) as { saleId?: string };
  if (!message || (own !== null && !own.includes(saleId ?? ''))) return { status: 'not_found' };
  return transaction(async (tx): Promise<RetryMessageResult> => {
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
