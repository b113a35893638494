import { z } from 'zod';
import { TOPICS, type Topic } from '@/lib/contract/words/queue';
import { CONFIRM_PAID, RETURN_MONEY } from '@/lib/order/records/consumer-names';
import type { NewMessage } from '@/lib/outbox/put-message';

const KNOWN: ReadonlySet<string> = new Set(TOPICS);
const payloadSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const batchSchema = z.object({ messages: z.array(payloadSchema).min(1) });

/** The topic of the messages that each of these given-up functions had received. */
const TOPIC_OF: Record<string, Topic> = { [CONFIRM_PAID]: 'orders/paid', [RETURN_MONEY]: 'payments/late' };

/**
 * Returns the messages a dead letter was made from, to send them again; null if it was made from none. Pure. A run
 * that releases unpaid orders has nothing to send again: the sweep has long done its work.
 */
export function messagesOf({
  consumer,
  payload,
}: {
  consumer: string;
  payload: unknown;
}): NewMessage[] | null {
  if (KNOWN.has(consumer)) {
    const single = payloadSchema.safeParse(payload);
    return single.success ? [{ topic: consumer as Topic, payload: single.data }] : null;
  }
  const topic = TOPIC_OF[consumer];
  const batch = batchSchema.safeParse(payload);
  if (!topic || !batch.success) return null;
  return batch.data.messages.map((message) => ({ topic, payload: message }));
}
