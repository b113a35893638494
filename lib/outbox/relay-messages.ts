import 'server-only';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { eventId } from './event-id';
import { EventRefused } from './event-refused';
import { RELAYED_TOPICS } from './put-message';
import { recordDeadLetter } from './record-dead-letter';
import type { SendEvent } from './types';

/** Most messages in one event. */
export const MESSAGE_BATCH = 100;
const MAX_ATTEMPTS = 20;
const MAX_WAIT_SEC = 60;
/** One send happens in the transaction; its own time limit and the SDK's retries are shorter. */
const TRANSACTION_MS = 60_000;
const MAX_ERROR_LENGTH = 2_000;

type Message = { id: bigint; topic: string; payload: Record<string, string>; attempts: number };

export type RelayedMessages =
  | { status: 'idle' }
  | { status: 'sent' | 'postponed'; count: number }
  /** Nothing has changed: call again with a smaller limit, to find the message at fault. */
  | { status: 'refused'; count: number };

/**
 * Sends up to `limit` due messages of one relayed topic as one event and marks them in the same transaction, so that a killed
 * relay sends them again rather than never. Any number may run side by side.
 *
 * Failed messages wait 1, 2, 4 … 60 s. A single one that the executor refuses becomes a dead letter at its 20th attempt;
 * while the executor is merely away none is given up.
 */
export function relayMessages(send: SendEvent, limit = MESSAGE_BATCH): Promise<RelayedMessages> {
  return transaction(async (tx): Promise<RelayedMessages> => {
    const messages = await lockDue(tx, limit);
    const [first] = messages;
    if (!first) return { status: 'idle' };
    const count = messages.length;
    const ids = messages.map(({ id }) => String(id));
    const data = { messages: messages.map(({ payload }) => payload) };
    try {
      await send({ id: eventId(first.topic, 'messages', ids), name: first.topic, data });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!(error instanceof EventRefused)) await postpone(tx, ids, text, MAX_ATTEMPTS - 1);
      else if (count > 1) return { status: 'refused', count };
      else if (first.attempts + 1 < MAX_ATTEMPTS) await postpone(tx, ids, text, MAX_ATTEMPTS);
      else await giveUp(tx, first, text);
      return { status: 'postponed', count };
    }
    await tx.$executeRaw`UPDATE outgoing_messages SET sent_at = now() WHERE id = ANY (${ids}::text[]::bigint[])`;
    return { status: 'sent', count };
  }, TRANSACTION_MS);
}

function lockDue(tx: Db, limit: number): Promise<Message[]> {
  return tx.$queryRaw<Message[]>`
    SELECT id, topic, payload, attempts FROM outgoing_messages
    WHERE sent_at IS NULL AND next_attempt_at <= now()::timestamptz(3)
      AND topic = (SELECT topic FROM unnest(${[...RELAYED_TOPICS]}::text[]) AS t (name) CROSS JOIN LATERAL (
                     SELECT topic, next_attempt_at FROM outgoing_messages
                     WHERE topic = name AND sent_at IS NULL AND next_attempt_at <= now()::timestamptz(3)
                     ORDER BY next_attempt_at LIMIT 1) AS oldest
                   ORDER BY next_attempt_at LIMIT 1)
    ORDER BY next_attempt_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
}

async function postpone(tx: Db, ids: readonly string[], error: string, mostAttempts: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE outgoing_messages
    SET attempts = least(attempts + 1, ${mostAttempts}::int), last_error = ${error.slice(0, MAX_ERROR_LENGTH)},
        next_attempt_at = now() + make_interval(secs => least(power(2, attempts), ${MAX_WAIT_SEC}))
    WHERE id = ANY (${[...ids]}::text[]::bigint[])`;
}

async function giveUp(tx: Db, { id, topic, payload, attempts }: Message, error: string): Promise<void> {
  const letter = { consumer: topic, messageId: String(id), saleId: payload.saleId, payload, error };
  await recordDeadLetter({ ...letter, attempts: attempts + 1 }, tx);
  await tx.$executeRaw`DELETE FROM outgoing_messages WHERE id = ${id}`;
}
