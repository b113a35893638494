import 'server-only';
import { orderNoSchema } from '@/lib/outbox/accepted-order';
import { parseEntry } from '@/lib/outbox/parse-entry';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import type { BuriedEntry } from '@/lib/outbox/types';
import { compensateOrders } from './compensate-orders';
import { releaseDeadLetters } from './release-dead-letters';

const RELAY = 'relay';

/** Gives up on an outbox entry: records a dead letter and, if the entry still names its order, gives the stock back. */
export async function buryEntry(buried: BuriedEntry): Promise<void> {
  const { saleId, stockId, entryId, fields, error, attempts } = buried;
  const parsed = parseEntry(buried);
  if (parsed.ok) {
    await compensateOrders({ saleId, orders: [parsed.entry.order] }, error, RELAY, attempts);
    return;
  }
  const orderNo = orderNoSchema.safeParse(fields.orderNo);
  const payload = /^[A-Za-z0-9_-]{1,64}$/.test(fields.userId ?? '')
    ? fields
    : { ...fields, userId: undefined };
  await recordDeadLetter({
    consumer: RELAY,
    messageId: `${stockId}:${entryId}`,
    saleId,
    orderNo: orderNo.success ? BigInt(orderNo.data) : undefined,
    payload,
    error,
    attempts,
  });
  if (orderNo.success) await releaseDeadLetters([orderNo.data]);
}
