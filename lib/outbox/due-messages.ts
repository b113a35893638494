import 'server-only';
import type { Db } from '@/lib/db/client';
import { cutText } from '@/lib/human-text';
import { recordDeadLetter } from './record-dead-letter';

const MAX_WAIT_SEC = 60;
const MAX_ERROR_LENGTH = 2_000;

/** A message of the transactional outbox, locked by the transaction that sends it. */
type DueMessage = {
  id: bigint;
  topic: string;
  payload: Record<string, string>;
  attempts: number;
  createdAt: Date;
};

/**
 * Finds that of these topics whose oldest message has been due longest, and locks up to `limit` of its due messages
 * until the transaction ends.
 */
export function lockDue(tx: Db, limit: number, topics: readonly string[]): Promise<DueMessage[]> {
  return tx.$queryRaw<DueMessage[]>`
    SELECT id, topic, payload, attempts, created_at AS "createdAt" FROM outgoing_messages
    WHERE sent_at IS NULL AND next_attempt_at <= now()::timestamptz(3)
      AND topic = (SELECT topic FROM unnest(${[...topics]}::text[]) AS t (name) CROSS JOIN LATERAL (
                     SELECT topic, next_attempt_at FROM outgoing_messages
                     WHERE topic = name AND sent_at IS NULL AND next_attempt_at <= now()::timestamptz(3)
                     ORDER BY next_attempt_at LIMIT 1) AS oldest
                   ORDER BY next_attempt_at LIMIT 1)
    ORDER BY next_attempt_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
}

/** Notes that locked messages were sent. */
export async function markDueSent(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.$executeRaw`UPDATE outgoing_messages SET sent_at = now() WHERE id = ANY (${[...ids]}::text[]::bigint[])`;
}

/** Lets locked messages wait 1, 2, 4 … 60 s after their 1st, 2nd, 3rd … attempt. @param mostAttempts counts no further */
export async function postponeDue(
  tx: Db,
  ids: readonly string[],
  error: string,
  mostAttempts: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE outgoing_messages
    SET attempts = least(attempts + 1, ${mostAttempts}::int), last_error = ${cutText(error, MAX_ERROR_LENGTH)},
        next_attempt_at = now() + make_interval(secs => least(power(2, attempts), ${MAX_WAIT_SEC}))
    WHERE id = ANY (${[...ids]}::text[]::bigint[])`;
}

/** Turns a locked message into a dead letter. */
export async function giveUpDue(
  tx: Db,
  { id, topic, payload, attempts }: DueMessage,
  error: string,
): Promise<void> {
  const letter = { consumer: topic, messageId: String(id), saleId: payload.saleId, payload, error };
  await recordDeadLetter({ ...letter, attempts: attempts + 1 }, tx);
  await tx.$executeRaw`DELETE FROM outgoing_messages WHERE id = ${id}`;
}
