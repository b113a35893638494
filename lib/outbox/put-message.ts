import 'server-only';
import type { Topic } from '@/lib/contract/words/queue';
import type { Db } from '@/lib/db/client';

export type NewMessage = { topic: Topic; payload: Record<string, string | number | boolean> };

/** Writes a message in the transaction of its cause. The worker sends it afterwards, at least once. */
export function putMessage(tx: Db, topic: Topic, payload: NewMessage['payload']): Promise<void> {
  return putMessages(tx, [{ topic, payload }]);
}

/** Does the same for several messages, in one statement. */
export async function putMessages(tx: Db, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const topics = messages.map(({ topic }) => topic);
  const payloads = messages.map(({ payload }) => JSON.stringify(payload));
  await tx.$executeRaw`
    INSERT INTO outgoing_messages (topic, payload)
    SELECT topic, payload::jsonb FROM unnest(${topics}::text[], ${payloads}::text[]) AS m (topic, payload)`;
}
