import 'server-only';
import { askPasswordReset } from '@/lib/access/ask-password-reset';
import { sendVerification } from '@/lib/access/send-verification';
import { toLocale } from '@/lib/account/user-locale';
import { recordAction } from '@/lib/audit/record-action';
import { noticesOf } from '@/lib/checkout/order/announce';
import { mailTopicOf } from '@/lib/contract/words/mail-topic';
import type { OrderNoticeKind } from '@/lib/contract/words/notice';
import type { WrittenStatus } from '@/lib/contract/words/order';
import type { PersonMail } from '@/lib/contract/words/person-mail';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { parseOrderNo } from '@/lib/ids/order-no';
import { orderKey } from '@/lib/order/order-key';
import { putMessages } from '@/lib/outbox/put-message';
import { type Actor, demand, withoutSession } from '../actor';

const MINUTE_MS = 60_000;

/** The mail that tells most of an order in this status; an order that failed was none. */
const TELLS: Partial<Record<WrittenStatus, OrderNoticeKind>> = {
  pending_payment: 'payment_reminder',
  paid: 'order_paid',
  cancelled: 'order_cancelled',
  refunded: 'order_refunded',
};

type SendResult =
  | { status: 'sent'; sentTo: string }
  | { status: 'not_found' | 'order_not_found' | 'verified' | 'banned' }
  /** The person wants no such mails, so none would go. */
  | { status: 'muted' }
  | { status: 'too_soon'; retryAfterMs: number };

/**
 * Sends somebody a mail once more, to the address of the account and no other.
 * @param kind which mail. @param orderNo of the order that it is about
 * @throws what sending the mail that verifies an address throws
 */
export async function sendPersonMail(
  actor: Actor,
  userId: string,
  { kind, orderNo }: { kind: PersonMail; orderNo?: string },
): Promise<SendResult> {
  demand(actor, 'helpPeople');
  const user = await db().user.findUnique({ where: { id: userId } });
  if (!user || user.deletedAt !== null) return { status: 'not_found' };
  const { email, mutedMails } = user;
  const note = (tx: Db, by: Actor) =>
    recordAction(tx, by, {
      action: 'person.send_mail',
      subject: { kind: 'user', id: userId },
      before: null,
      after: { kind, ...(orderNo === undefined ? {} : { orderNo }) },
    });
  if (orderNo !== undefined)
    return sendOfOrder({ userId, email, mutedMails, orderNo }, (tx) => note(tx, actor));
  if (user.bannedAt !== null) return { status: 'banned' };
  if (kind === 'verification' && user.emailVerifiedAt !== null) return { status: 'verified' };
  const sent =
    kind === 'verification'
      ? await sendVerification({ userId, email, locale: toLocale(user.locale) })
      : await askPasswordReset(email, { address: null, headers: new Headers() });
  if (sent.status === 'too_soon') return sent;
  // It has gone, whatever has become of the actor's session meanwhile.
  await transaction((tx) => note(tx, withoutSession(actor)));
  return { status: 'sent', sentTo: email };
}

/** Once in each minute, as the audit log has it: whoever presses twice sends one. */
async function sendOfOrder(
  {
    userId,
    email,
    mutedMails,
    orderNo,
  }: { userId: string; email: string; mutedMails: string[]; orderNo: string },
  note: (tx: Db) => Promise<void>,
): Promise<SendResult> {
  const id = parseOrderNo(orderNo);
  const where = id === null ? null : { shard_id: orderKey(id) };
  return transaction(async (tx): Promise<SendResult> => {
    const order =
      where && (await tx.order.findUnique({ where, select: { userId: true, saleId: true, status: true } }));
    const tells = order?.userId === userId ? TELLS[order.status as WrittenStatus] : undefined;
    if (!order || !tells) return { status: 'order_not_found' };
    const topic = mailTopicOf(tells);
    if (topic && mutedMails.includes(topic)) return { status: 'muted' };
    // One after another: who waits here sees what the one before has recorded.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`mail of order ${orderNo}`}, 0))`;
    const nowMs = Date.now();
    const last = await tx.auditEntry.findFirst({
      where: {
        subjectId: userId,
        action: 'person.send_mail',
        after: { path: ['orderNo'], equals: orderNo },
        at: { gt: new Date(nowMs - MINUTE_MS) },
      },
      orderBy: { id: 'desc' },
    });
    if (last) return { status: 'too_soon', retryAfterMs: last.at.getTime() + MINUTE_MS - nowMs };
    const mails = noticesOf(tells, { saleId: order.saleId, orderNo }, `again-${nowMs}`).filter(
      ({ topic }) => topic === 'mail',
    );
    await putMessages(tx, mails);
    await note(tx);
    return { status: 'sent', sentTo: email };
  });
}
