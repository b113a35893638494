import 'server-only';
import pLimit from 'p-limit';
import type { ConsumedTopic } from '@/lib/contract/words/queue';
import { isDataError } from '@/lib/db/sql-state';
import { isOutage } from '@/lib/errors/is-outage';
import { claimMessages, giveUpMessage, markSent, postponeMessage, unclaimMessages } from './claim-messages';
import { gather } from './gather';
import { MessageRefused } from './message-refused';

/** How often one message is delivered until it becomes a dead letter. */
export const MAX_DELIVERIES = 10;

/** A message as its consumer gets it. `attempts` includes this delivery. */
export type ConsumedMessage = { id: string; payload: Record<string, string>; attempts: number };

/** The circuit breaker between a consumer and a service that may fail. */
export type ServiceGate = {
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
  /**
   * How long after the claim a message delivered one by one may still begin, ms; the others go back untouched. With
   * the longest delivery it must fit into the claim of 60 s. Unset: no limit, so `batch` must be small.
   */
  startWithinMs?: number;
  gate: ServiceGate;
  /**
   * Delivers messages. Must be idempotent; throws if not all of them were delivered. Must end within the claim of 60
   * s.
   * @throws MessageRefused where a message is at fault; anything else blames the service.
   */
  deliver(messages: readonly ConsumedMessage[]): Promise<void>;
  /**
   * For messages delivered one by one: reads at once what all of them need. If it throws, each is left to `deliver`.
   * @returns how to deliver one of them; throws as `deliver` does.
   */
  prepare?(messages: readonly ConsumedMessage[]): Promise<(message: ConsumedMessage) => Promise<void>>;
};

/** `paused`: the gate admits none. Counts are messages. */
type Consumed =
  | { status: 'idle' | 'paused' }
  | { status: 'consumed'; sent: number; failed: number; postponed: number };

/** Tells whether the message is at fault, and not the service that should take it. */
export const isMessagesFault = (error: unknown): boolean =>
  error instanceof MessageRefused || isDataError(error);

/**
 * Delivers due messages of one topic, under a claim of 60 s that brings a killed worker's messages back. Splits a
 * failed batch. A refused message is a dead letter at once; another that failed waits 1, 2, 4 … 60 s, and becomes
 * one from its 10th delivery on, unless a server that it needs is away (decision 012).
 * @param signal ends that time early
 */
export async function consumeMessages(consumer: MessageConsumer, signal?: AbortSignal): Promise<Consumed> {
  const { topic, batch, concurrency, gate, startWithinMs = Number.POSITIVE_INFINITY } = consumer;
  const startBy = performance.now() + startWithinMs;
  if (gate.admits === 'none') return { status: 'paused' };
  const messages = await claimMessages(topic, gate.admits === 'one' ? 1 : batch);
  if (messages.length === 0) return { status: 'idle' };
  if (concurrency === undefined && messages.length > 1 && (await deliverAll(consumer, messages))) {
    return { status: 'consumed', sent: messages.length, failed: 0, postponed: 0 };
  }
  const mayBegin = () => !signal?.aborted && performance.now() <= startBy;
  const outcomes = await deliverEach(consumer, messages, mayBegin);
  const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
  return { status: 'consumed', sent: count('sent'), failed: count('failed'), postponed: count('postponed') };
}

type Outcome = 'sent' | 'failed' | 'postponed';

/** Tells whether another delivery can help. A refusal is final; an outage ends some time; anything else is tried ten times. */
function mayComeAgain({ attempts }: ConsumedMessage, error: unknown): boolean {
  if (error instanceof MessageRefused) return false;
  return attempts < MAX_DELIVERIES || isOutage(error);
}

async function deliverAll({ gate, deliver }: MessageConsumer, messages: ConsumedMessage[]): Promise<boolean> {
  try {
    await gate.run(() => deliver(messages));
  } catch {
    return false;
  }
  await markSent(messages.map(({ id }) => id));
  return true;
}

async function deliverEach(
  consumer: MessageConsumer,
  messages: ConsumedMessage[],
  mayBegin: () => boolean,
): Promise<Outcome[]> {
  const { concurrency = 1, deliver } = consumer;
  const deliverAlone = (message: ConsumedMessage) => deliver([message]);
  const prepared = await consumer.prepare?.(messages).catch(() => undefined);
  const limit = pLimit(concurrency);
  const sent = gather(markSent);
  const untouched = gather(unclaimMessages);
  const settled = await Promise.allSettled(
    messages.map(async (message) => {
      const outcome = await limit(() =>
        mayBegin() ? deliverOne(consumer, message, prepared ?? deliverAlone) : 'postponed',
      );
      // Beside the next delivery, and together with others that end meanwhile.
      if (outcome === 'sent') await sent(message.id);
      else if (outcome === 'postponed') await untouched(message.id);
      return outcome;
    }),
  );
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

async function deliverOne(
  { topic, gate }: MessageConsumer,
  message: ConsumedMessage,
  deliver: (message: ConsumedMessage) => Promise<void>,
): Promise<Outcome> {
  if (gate.admits === 'none') return 'postponed';
  try {
    await gate.run(() => deliver(message));
  } catch (error) {
    // If the service has just been declared down, the service is to blame and not this message.
    if (!isMessagesFault(error) && gate.admits !== 'all') return 'postponed';
    const text = error instanceof Error ? error.message : String(error);
    if (mayComeAgain(message, error)) await postponeMessage(message.id, text);
    else await giveUpMessage(topic, message, text);
    return 'failed';
  }
  return 'sent';
}
