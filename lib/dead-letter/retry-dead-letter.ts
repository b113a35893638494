import 'server-only';
import { z } from 'zod';
import { type Actor, demandAnywhere, seesAll } from '@/lib/actor/actor';
import type { DeadLetterChoice, DeadLetterView, RetriedDeadLetters } from '@/lib/contract/shapes/queue';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { CREATE_ORDERS } from '@/lib/order/records/consumer-names';
import { putMessages } from '@/lib/outbox/put-message';
import { RETRIED } from '@/lib/outbox/report-problem';
import { describeMisbooked } from '@/lib/payment/note-misbooked';
import { findMisbooked, PROVIDER_BOOKS } from '@/lib/payment/providers/find-misbooked';
import { ProviderSilentError } from '@/lib/payment/providers/reach-provider';
import { type ReopenedOrder, reopenOrder } from '@/lib/settlement/reopen-order';
import type { DeadLetter } from '@/prisma/generated/client';
import { findLetter } from './find-letter';
import { lettersOf, toView } from './list-dead-letters';
import { messagesOf } from './messages-of';
import { recordResolved, resolveDeadLetter } from './resolve-letter';

type RetryResult =
  | { status: 'retried'; deadLetter: DeadLetterView }
  | { status: 'resolved'; resolution: string | null }
  /** The letter can only be discarded, or can't be retried now: `why`, in a developer's words. */
  | { status: 'not_retryable'; why: string }
  | { status: 'not_found' };

const comparedSchema = z.object({ provider: z.string(), paymentId: z.string() });

/** The most letters that one call retries. */
const MOST_AT_ONCE = 1_000;

/**
 * Retries a dead letter. A message goes back into the outbox with all its attempts. A purchase that could not become
 * an order takes its units again, if they are still free, and is written. A payment that its provider has booked
 * differently is compared once more. Whatever fails again becomes a new dead letter.
 */
export async function retryDeadLetter(actor: Actor, id: string): Promise<RetryResult> {
  const letter = await findLetter(actor, id);
  if (!letter) return { status: 'not_found' };
  return retry(actor, letter);
}

/**
 * Retries all open dead letters that the actor may deal with, or those of one consumer or sale: the oldest 1,000, or the
 * oldest of those after `after`, so that letters which can't be retried hide no others.
 */
export async function retryDeadLetters(
  actor: Actor,
  { consumer, saleId, after }: DeadLetterChoice = {},
): Promise<RetriedDeadLetters> {
  await demandAnywhere(actor, 'work');
  const letters = await db().deadLetter.findMany({
    where: {
      resolvedAt: null,
      AND: [await lettersOf(actor, 'work'), { saleId, consumer }],
      id: after === undefined ? undefined : { gt: BigInt(after) },
    },
    orderBy: { id: 'asc' },
    take: MOST_AT_ONCE + 1,
  });
  let retried = 0;
  const now = letters.slice(0, MOST_AT_ONCE);
  for (const letter of now) if ((await retry(actor, letter)).status === 'retried') retried += 1;
  const isMore = letters.length > now.length;
  const goOnAfter = isMore ? String(now.at(-1)?.id) : null;
  return { retried, notRetryable: now.length - retried, isMore, goOnAfter };
}

async function retry(actor: Actor, letter: DeadLetter): Promise<RetryResult> {
  if (letter.resolvedAt) return { status: 'resolved', resolution: letter.resolution };
  if (letter.consumer === CREATE_ORDERS || letter.consumer === 'relay') return retryPurchase(actor, letter);
  if (letter.consumer === PROVIDER_BOOKS) return retryComparison(actor, letter);
  const messages = messagesOf(letter);
  if (messages === null)
    return { status: 'not_retryable', why: `${letter.consumer} has nothing to send again` };
  return close(actor, letter, (tx) => putMessages(tx, messages));
}

/** Closes a letter as retried. @param work what to do about it, in the same transaction */
async function close(
  actor: Actor,
  letter: DeadLetter,
  work: (tx: Db) => Promise<void> = async () => {},
): Promise<RetryResult> {
  const isNew = await transaction(async (tx) => {
    if (!(await resolveDeadLetter(tx, letter, RETRIED, actor))) return false;
    await work(tx);
    await recordResolved(tx, actor, letter, 'retry');
    return true;
  });
  return answer(letter, isNew);
}

/**
 * Closes the letter if our books and the provider's agree by now, for example because the money was sent back at the
 * provider. Moves no money itself.
 */
async function retryComparison(actor: Actor, letter: DeadLetter): Promise<RetryResult> {
  const payment = comparedSchema.safeParse(letter.payload);
  if (!payment.success) return { status: 'not_retryable', why: 'its payment cannot be read' };
  const { provider, paymentId } = payment.data;
  try {
    const [still] = await findMisbooked(provider, [paymentId]);
    return still ? { status: 'not_retryable', why: describeMisbooked(still) } : await close(actor, letter);
  } catch (error) {
    if (!(error instanceof ProviderSilentError)) throw error;
    return { status: 'not_retryable', why: `${provider} could not be asked: ${error.message}` };
  }
}

const REFUSALS: Record<Exclude<ReopenedOrder['status'], 'revived' | 'resolved'>, string> = {
  not_readable: 'its purchase cannot be read',
  not_released: 'its hold has not been given back yet; try again in a minute',
  sold_out: 'its units are sold to others',
  over_limit: 'its buyer has bought again meanwhile',
  barred: 'its buyer is blocked or has deleted the account',
  not_writable: 'the order cannot be written',
};

async function retryPurchase(actor: Actor, letter: DeadLetter): Promise<RetryResult> {
  const { status } = await reopenOrder(
    { id: letter.id, saleId: letter.saleId, payload: letter.payload },
    { kind: seesAll(actor) ? 'system' : 'merchant', id: actor.userId },
    {
      resolve: (tx) => resolveDeadLetter(tx, letter, RETRIED, actor),
      record: (tx) => recordResolved(tx, actor, letter, 'retry'),
    },
  );
  if (status === 'revived' || status === 'resolved') return answer(letter, status === 'revived');
  return { status: 'not_retryable', why: REFUSALS[status] };
}

async function answer({ id }: DeadLetter, isNew: boolean): Promise<RetryResult> {
  const now = await db().deadLetter.findUniqueOrThrow({ where: { id } });
  return isNew
    ? { status: 'retried', deadLetter: toView(now) }
    : { status: 'resolved', resolution: now.resolution };
}
