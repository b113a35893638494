import 'server-only';
import { z } from 'zod';
import { webhookEvent } from '@/lib/contract/shapes/webhook';
import { db } from '@/lib/db/client';
import type { ConsumedMessage, MessageConsumer } from '@/lib/outbox/consume-messages';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { writeDeliveries } from './write-deliveries';

/** A message holds up to 100 events. */
const BATCH = 4;

const payloadSchema = z.object({
  shopId: z.string(),
  kind: z.enum(['order.accepted', 'order.paid', 'order.cancelled', 'order.refunded', 'order.shipped']),
  events: z.string().transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  }),
});
const eventsSchema = z
  .array(z.object({ id: z.string().min(1).max(90), at: z.int(), data: z.unknown() }))
  .min(1)
  .max(100);

/** Only Postgres stands behind it, and no message could be delivered while that is away. */
const OPEN = { admits: 'all' as const, run: <T>(work: () => Promise<T>) => work() };

/** Creates the consumer that turns what happened to orders into deliveries, one per event and webhook that wants it. */
export const createEventConsumer = (): MessageConsumer => ({
  topic: 'shop-event',
  batch: BATCH,
  gate: OPEN,
  deliver: async (messages) => {
    for (const message of messages) await fanOut(message);
  },
});

async function fanOut({ id, payload }: ConsumedMessage): Promise<void> {
  const read = payloadSchema.safeParse(payload);
  const events = eventsSchema.safeParse(read.data?.events);
  if (!read.success || !events.success)
    throw new MessageRefused(`message ${id}: ${(read.error ?? events.error)?.message}`);
  const { shopId, kind } = read.data;
  const made = events.data.map(({ id: eventId, at, data }) => {
    const event = webhookEvent.safeParse({ type: kind, timestamp: new Date(at).toISOString(), data });
    if (!event.success) throw new MessageRefused(`message ${id}: ${event.error.message}`);
    return { eventId: `evt_${eventId}`, event: event.data };
  });
  await writeDeliveries(db(), shopId, kind, made);
}
