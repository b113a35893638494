import 'server-only';
import pLimit from 'p-limit';
import type { ConsumedTopic } from '@/lib/contract/words/queue';
import { isDataError } from '@/lib/db/sql-state';
import { claimMessages, giveUpMessage, markSent, postponeMessage, unclaimMessages } from './claim-messages';
import { MessageRefused } from './message-refused';

/** How often one message is delivered until it becomes a dead letter. */
export const MAX_DELIVERIES = 10;

/** A message as its consumer gets it. `attempts` includes this delivery. */
export type ConsumedMessage = { id: string; payload: Record<string, string>; attempts: number };

/** The circuit breaker between a consumer and a service that may fail. */
type ServiceGate = {
  /** How many messages may be tried now: all, one as a probe, or none. */
  readonly admits: 'all' | 'one' | 'none';
  /** Runs `work`. @throws what `work` throws, or an error of its own while it admits none. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

export type MessageConsumer = {
  topic: ConsumedTopic;
  /** How many messages are taken at a time, at most. */
  batch: number;
  /** Set: messages are delivered one by one, so many at a time. Unset: all at once. */
  concurrency?: number;
  gate: ServiceGate;
  /**
   * Delivers messages. Must be idempotent; throws if not all of them were delivered. Must end within the claim of 60
   * s.
   * @throws MessageRefused where a message is at fault; anything else blames the service.
   */
  deliver(messages: readonly ConsumedMessage[]): Promise<void>;
};

/** `paused`: the gate admits none. Counts are messages. */
type Consumed =
  | { status: 'idle' | 'paused' }
  | { status: 'consumed'; sent: number; failed: number; postponed: number };

/** Tells whether the message is at fault, and not the service that should take it. */
export const isMessagesFault = (error: unknown): boolean =>
  error instanceof MessageRefused || isDataError(error);

/**
 * Takes due messages of one topic (`FOR UPDATE SKIP LOCKED`, under a claim of 60 s, so that a killed worker's
 * messages come again) and delivers them. Splits a batch that fails, so that one message never holds up the others. A
 * message that fails waits 1, 2, 4 … 60 s and becomes a dead letter after its 10th delivery.
 *
 * While the service is down, takes nothing. Messages in hand when it went down go back without losing an attempt: an
 * outage costs time, not messages.
 */
export async function consumeMessages(consumer: MessageConsumer): Promise<Consumed> {
  const { topic, batch, concurrency, gate } = consumer;
  if (gate.admits === 'none') return { status: 'paused' };
  const messages = await claimMessages(topic, gate.admits === 'one' ? 1 : batch);
  if (messages.length === 0) return { status: 'idle' };
  if (concurrency === undefined && messages.length > 1 && (await deliverAll(consumer, messages))) {
    return { status: 'consumed', sent: messages.length, failed: 0, postponed: 0 };
  }
  const limit = pLimit(concurrency ?? 1);
  const outcomes = await Promise.all(messages.map((message) => limit(() => deliverOne(consumer, message))));
  const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
  return { status: 'consumed', sent: count('sent'), failed: count('failed'), postponed: count('postponed') };
}

type Outcome = 'sent' | 'failed' | 'postponed';

async function deliverAll({ gate, deliver }: MessageConsumer, messages: ConsumedMessage[]): Promise<boolean> {
  try {
    await gate.run(() => deliver(messages));
  } catch {
    return false;
  }
  await markSent(messages.map(({ id }) => id));
  return true;
}

async function deliverOne(
  { topic, gate, deliver }: MessageConsumer,
  message: ConsumedMessage,
): Promise<Outcome> {
  if (gate.admits === 'none') {
    await unclaimMessages([message.id]);
    return 'postponed';
  }
  try {
    await gate.run(() => deliver([message]));
  } catch (error) {
    // If the service has just been declared down, the service is to blame and not this message.
    if (!isMessagesFault(error) && gate.admits !== 'all') {
      await unclaimMessages([message.id]);
      return 'postponed';
    }
    const text = error instanceof Error ? error.message : String(error);
    if (message.attempts < MAX_DELIVERIES) await postponeMessage(message.id, text);
    else await giveUpMessage(topic, message, text);
    return 'failed';
  }
  await markSent([message.id]);
  return 'sent';
}
