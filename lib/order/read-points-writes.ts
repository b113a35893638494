import 'server-only';
import { z } from 'zod';
import { POINTS_KINDS } from '@/lib/contract/words/points';
import { readFacts } from '@/lib/order/records/read-facts';
import { orderNoSchema } from '@/lib/outbox/accepted-order';
import type { ConsumedMessage } from '@/lib/outbox/consume-messages';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { pointsFor } from '@/lib/points/points-for';
import type { PointsWrite } from '@/lib/points/write-points';

const payloadSchema = z.object({ orderNo: orderNoSchema, kind: z.enum(POINTS_KINDS) });

/**
 * Builds the ledger entries that messages ask for. A paid order's amount can't change any more, so the points taken
 * back equal the points earned.
 * @throws MessageRefused if a message can't be understood or its order doesn't exist.
 */
export async function readPointsWrites(messages: readonly ConsumedMessage[]): Promise<PointsWrite[]> {
  const asked = messages.map(({ id, payload }) => {
    const parsed = payloadSchema.safeParse(payload);
    if (!parsed.success) throw new MessageRefused(`message ${id}: ${parsed.error.message}`);
    return parsed.data;
  });
  const facts = await readFacts(asked.map(({ orderNo }) => orderNo));
  return asked.map(({ orderNo, kind }) => {
    const order = facts.get(orderNo);
    if (!order) throw new MessageRefused(`there is no order ${orderNo}`);
    const points = pointsFor(order.amountMinor, order.currency);
    return { userId: order.userId, orderNo, kind, points: kind === 'earned' ? points : 0 - points };
  });
}
