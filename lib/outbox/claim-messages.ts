import { limitMs } from '@/lib/time-limits';
import 'server-only';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { cutText } from '@/lib/human-text';
import type { ConsumedMessage } from './consume-messages';
import { recordDeadLetter } from './record-dead-letter';

const MAX_WAIT_SEC = 60;
const MAX_ERROR_LENGTH = 2_000;

/**
 * Claims up to `limit` due messages of a topic, the longest due first. Each claim counts as an attempt, so that a
 * message that kills its worker is bounded too. It also clears the error shown. Stored moments may be rounded up to the
 * ms; the present is rounded likewise, so that a new message is due now.
 */
export async function claimMessages(topic: string, limit: number): Promise<ConsumedMessage[]> {
  const rows = await db().$queryRaw<{ id: bigint; payload: Record<string, string>; attempts: number }[]>`
    UPDATE outgoing_messages
    SET attempts = attempts + 1, last_error = NULL, next_attempt_at = now() + make_interval(secs => ${limitMs('messageClaim') / 1000}::int)
    WHERE id = ANY (ARRAY(
                 SELECT id FROM outgoing_messages
                 WHERE topic = ${topic} AND sent_at IS NULL AND next_attempt_at <= now()::timestamptz(3)
                 ORDER BY next_attempt_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    RETURNING id, payload, attempts`;
  rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  return rows.map(({ id, payload, attempts }) => ({ id: String(id), payload, attempts }));
}

/** Notes that messages were delivered. */
export async function markSent(ids: readonly string[]): Promise<void> {
  await db().$executeRaw`
    UPDATE outgoing_messages SET sent_at = now(), last_error = NULL WHERE id = ANY (${[...ids]}::text[]::bigint[])`;
}

/** Gives claimed messages back as if they had not been taken. */
export async function unclaimMessages(ids: readonly string[]): Promise<void> {
  await db().$executeRaw`
    UPDATE outgoing_messages SET attempts = greatest(attempts - 1, 0), next_attempt_at = now()
    WHERE id = ANY (${[...ids]}::text[]::bigint[]) AND sent_at IS NULL`;
}

/** Lets a message wait 1, 2, 4 … 60 s after its 1st, 2nd, 3rd … attempt. */
export async function postponeMessage(id: string, error: string): Promise<void> {
  await db().$executeRaw`
    UPDATE outgoing_messages
    SET last_error = ${cutText(error, MAX_ERROR_LENGTH)},
        next_attempt_at = now() + make_interval(secs => least(power(2, attempts - 1), ${MAX_WAIT_SEC}))
    WHERE id = ${BigInt(id)} AND sent_at IS NULL`;
}

/** Turns a message into a dead letter, with its payload and error, in one transaction. */
export async function giveUpMessage(topic: string, message: ConsumedMessage, error: string): Promise<void> {
  const { id, payload, attempts } = message;
  await transaction(async (tx) => {
    const orderNo = /^\d{1,19}$/.test(payload.orderNo ?? '') ? BigInt(payload.orderNo ?? 0) : undefined;
    const letter = {
      consumer: topic,
      messageId: id,
      saleId: payload.saleId,
      orderNo,
      payload,
      error,
      attempts,
    };
    await recordDeadLetter(letter, tx);
    await tx.$executeRaw`DELETE FROM outgoing_messages WHERE id = ${BigInt(id)}`;
  });
}
