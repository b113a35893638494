import 'server-only';
import { z } from 'zod';
import { toLocale } from '@/lib/account/user-locale';
import { MAIL_TOPICS } from '@/lib/contract/words/mail';
import { NOTICE_KINDS, type NoticeKind } from '@/lib/contract/words/notice';
import { itemName } from '@/lib/human-text';
import type { Notice } from '@/lib/notify/types';
import { type OrderFacts, readFacts, readPlaceFacts } from '@/lib/order/records/read-facts';
import { orderNoSchema } from '@/lib/outbox/accepted-order';
import type { ConsumedMessage } from '@/lib/outbox/consume-messages';
import { MessageRefused } from '@/lib/outbox/message-refused';

const GO_BACK: ReadonlySet<NoticeKind> = new Set<NoticeKind>(['payment_mismatch', 'order_refunded']);

/** Notices of orders that are alive: they ask for the address of a parcel, too. */
const ASK_ADDRESS: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  'order_paid',
  'waitlist_given',
  'order_received',
  'payment_reminder',
  'late_payment_kept',
]);

const payloadSchema = z.object({
  orderNo: orderNoSchema,
  kind: z.enum(NOTICE_KINDS),
  /** The kind that it is told as, where `kind` is one that the release before knows. */
  says: z.enum(NOTICE_KINDS).optional(),
  key: z.string().min(1).max(100),
  amountMinor: z.int().optional(),
  /** The shopper wants this mail, muted or not. */
  isAsked: z.boolean().default(false),
});

/**
 * Builds the notices that messages ask for, from the current state of their orders, which it reads at once.
 * @returns by the message's id: the notice, or why there is none, because the message can't be understood or its order
 *   doesn't exist.
 */
export async function readEachNotice(
  messages: readonly ConsumedMessage[],
): Promise<Map<string, Notice | MessageRefused>> {
  const asked = messages.map(({ id, payload }) => ({ id, parsed: payloadSchema.safeParse(payload) }));
  const numbersOf = (isPlace: boolean) =>
    asked.flatMap(({ parsed }) =>
      parsed.success && (parsed.data.kind === 'not_drawn') === isPlace ? [parsed.data.orderNo] : [],
    );
  const [orders, places] = await Promise.all([readFacts(numbersOf(false)), readPlaceFacts(numbersOf(true))]);
  return new Map(
    asked.map(({ id, parsed }) => {
      if (!parsed.success) return [id, new MessageRefused(`message ${id}: ${parsed.error.message}`)];
      const { orderNo, kind } = parsed.data;
      const order = (kind === 'not_drawn' ? places : orders).get(orderNo);
      return [id, order ? toNotice(order, parsed.data) : new MessageRefused(`there is no order ${orderNo}`)];
    }),
  );
}

/** Does the same where all must be there. @throws MessageRefused for the first message without a notice. */
export async function readNotices(messages: readonly ConsumedMessage[]): Promise<Notice[]> {
  return [...(await readEachNotice(messages)).values()].map((notice) => {
    if (notice instanceof MessageRefused) throw notice;
    return notice;
  });
}

function toNotice(order: OrderFacts, asked: z.output<typeof payloadSchema>): Notice {
  const { kind, says, key, amountMinor: partMinor, isAsked } = asked;
  const {
    saleId: _sale,
    saleTitle,
    variantName,
    locale,
    isDrawn,
    mutedMails,
    isMailRefused,
    isUnpaid,
    takenMinor,
    takenCurrency,
    partsMinor,
    ...said
  } = order;
  // Such a notice names the money that went back, whatever the order had cost.
  const other = GO_BACK.has(kind) && takenMinor !== null && takenCurrency !== null;
  const money = other ? { amountMinor: takenMinor, currency: takenCurrency } : {};
  // A mail that asks for money comes too late once it is paid or cancelled.
  const isPointless = isMailRefused || (kind === 'payment_reminder' && !isUnpaid);
  // Parts have notices of their own.
  const restMinor = kind === 'order_refunded' ? said.amountMinor - partsMinor : said.amountMinor;
  return {
    key,
    // The units of a draw are given by way of the waitlist.
    kind: kind === 'waitlist_given' && isDrawn ? 'draw_won' : (says ?? kind),
    ...said,
    saleTitle: itemName(saleTitle, variantName),
    amountMinor: partMinor ?? restMinor,
    ...money,
    locale: toLocale(locale),
    lacksAddress: said.lacksAddress && ASK_ADDRESS.has(kind),
    mutedMails: isAsked ? [] : isPointless ? MAIL_TOPICS : mutedMails,
  };
}
