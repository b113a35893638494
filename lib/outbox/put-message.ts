import 'server-only';
import type { Db } from '@/lib/db/client';

/** Topics that go to the executor; the event of the same name carries up to 100 messages. */
export const RELAYED_TOPICS = [
  'orders/paid',
  /** Orders written in one transaction with their purchase: they need their timer. */
  'orders/placed',
  /** Money that came after its order had ended, or that a merchant sends back. */
  'payments/late',
] as const;

/** Topics with a consumer of their own in the worker. One message per consumer: none waits for another. */
export const CONSUMED_TOPICS = ['points', 'in-app', 'mail', 'alert-mail', 'alert-webhook'] as const;

export type ConsumedTopic = (typeof CONSUMED_TOPICS)[number];
export type Topic = (typeof RELAYED_TOPICS)[number] | ConsumedTopic;

export type NewMessage = { topic: Topic; payload: Record<string, string> };

/** Writes a message in the transaction of its cause; the worker sends it afterwards, at least once. */
export function putMessage(tx: Db, topic: Topic, payload: Record<string, string>): Promise<void> {
  return putMessages(tx, [{ topic, payload }]);
}

/** The same for several messages, in one statement. */
export async function putMessages(tx: Db, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const topics = messages.map(({ topic }) => topic);
  const payloads = messages.map(({ payload }) => JSON.stringify(payload));
  await tx.$executeRaw`
    INSERT INTO outgoing_messages (topic, payload)
    SELECT topic, payload::jsonb FROM unnest(${topics}::text[], ${payloads}::text[]) AS m (topic, payload)`;
}
