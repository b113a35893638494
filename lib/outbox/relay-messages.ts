import 'server-only';
import { RELAYED_TOPICS } from '@/lib/contract/words/queue';
import { transaction } from '@/lib/db/transaction';
import { limitMs } from '@/lib/time-limits';
import { giveUpDue, lockDue, markDueSent, postponeDue } from './due-messages';
import { eventId } from './event-id';
import { EventRefused } from './event-refused';
import type { SendEvent } from './types';

/** The most messages in one event. */
export const MESSAGE_BATCH = 100;
const MAX_ATTEMPTS = 20;

type RelayedMessages =
  | { status: 'idle' }
  | { status: 'sent' | 'postponed'; topic: string; count: number }
  /** Nothing has changed: call again with a smaller limit, to find the message at fault. */
  | { status: 'refused'; count: number };

/**
 * Sends up to `limit` due messages of one of these topics as one event and marks them in the same transaction: a killed
 * relay sends them again. Many may run side by side. Failed messages wait 1, 2, 4 … 60 s. A refused one becomes a
 * dead letter from its 20th attempt on; while the executor is away none does.
 */
export function relayMessages(
  send: SendEvent,
  limit = MESSAGE_BATCH,
  topics: readonly string[] = RELAYED_TOPICS,
): Promise<RelayedMessages> {
  return transaction(async (tx): Promise<RelayedMessages> => {
    const messages = await lockDue(tx, limit, topics);
    const [first] = messages;
    if (!first) return { status: 'idle' };
    const { topic } = first;
    const count = messages.length;
    const ids = messages.map(({ id }) => String(id));
    const data = { messages: messages.map(({ payload }) => payload) };
    const ts = Math.max(...messages.map(({ createdAt }) => createdAt.getTime()));
    try {
      await send({ id: eventId(topic, ids), name: topic, data, ts });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!(error instanceof EventRefused)) await postponeDue(tx, ids, text, MAX_ATTEMPTS - 1);
      else if (count > 1) return { status: 'refused', count };
      else if (first.attempts + 1 < MAX_ATTEMPTS) await postponeDue(tx, ids, text, MAX_ATTEMPTS);
      else await giveUpDue(tx, first, text);
      return { status: 'postponed', topic, count };
    }
    await markDueSent(tx, ids);
    return { status: 'sent', topic, count };
  }, limitMs('messageRelay'));
}
