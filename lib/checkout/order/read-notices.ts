import 'server-only';
import { z } from 'zod';
import { toLocale } from '@/lib/account/user-locale';
import { NOTICE_KINDS, type NoticeKind } from '@/lib/contract/words/notice';
import type { Notice } from '@/lib/notify/types';
import { readFacts } from '@/lib/order/read-facts';
import { orderNoSchema } from '@/lib/outbox/accepted-order';
import type { ConsumedMessage } from '@/lib/outbox/consume-messages';
import { MessageRefused } from '@/lib/outbox/message-refused';

const GO_BACK: ReadonlySet<NoticeKind> = new Set<NoticeKind>(['payment_mismatch', 'order_refunded']);

const payloadSchema = z.object({
  orderNo: orderNoSchema,
  kind: z.enum(NOTICE_KINDS),
  key: z.string().min(1).max(100),
});

/**
 * Builds the notices that messages ask for, from the current state of their orders.
 * @throws MessageRefused if a message can't be understood or its order doesn't exist.
 */
export async function readNotices(messages: readonly ConsumedMessage[]): Promise<Notice[]> {
  const asked = messages.map(({ id, payload }) => {
    const parsed = payloadSchema.safeParse(payload);
    if (!parsed.success) throw new MessageRefused(`message ${id}: ${parsed.error.message}`);
    return parsed.data;
  });
  const facts = await readFacts(asked.map(({ orderNo }) => orderNo));
  return asked.map(({ orderNo, kind, key }) => {
    const order = facts.get(orderNo);
    if (!order) throw new MessageRefused(`there is no order ${orderNo}`);
    const { saleId: _sale, locale, takenMinor, takenCurrency, ...said } = order;
    // Such a notice names the money that went back, whatever the order had cost.
    const other = GO_BACK.has(kind) && takenMinor !== null && takenCurrency !== null;
    const money = other ? { amountMinor: takenMinor, currency: takenCurrency } : {};
    return { key, kind, ...said, ...money, locale: toLocale(locale) };
  });
}
