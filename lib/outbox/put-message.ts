import 'server-only';
import type { Db } from '@/lib/db/client';

/** Topics of the transactional outbox; the event of the same name carries up to 100 messages. */
export type Topic = 'orders/paid' | 'payments/late';

/** Writes a message in the transaction of its cause; the worker sends it afterwards, at least once. */
export async function putMessage(tx: Db, topic: Topic, payload: Record<string, string>): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO outgoing_messages (topic, payload) VALUES (${topic}, ${JSON.stringify(payload)}::jsonb)`;
}
