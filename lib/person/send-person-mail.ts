import 'server-only';
import { askPasswordReset } from '@/lib/access/ask-password-reset';
import { byOrder, claimRequest } from '@/lib/access/claim-request';
import { sendVerification } from '@/lib/access/send-verification';
import { toLocale } from '@/lib/account/user-locale';
import { type Actor, demand, withoutSession } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { PersonMail } from '@/lib/contract/shapes/person';
import type { NoticeKind } from '@/lib/contract/words/notice';
import type { WrittenStatus } from '@/lib/contract/words/order';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { orderKey } from '@/lib/ids/order-key';
import { parseOrderNo } from '@/lib/ids/order-no';
import { noticesOf } from '@/lib/order/records/announce';
import { putMessages } from '@/lib/outbox/put-message';
import { unlessThrown } from '@/lib/tries/claim-try';
import type { User } from '@/prisma/generated/client';

/** The mail that says most about an order in this status. A failed order was never one. */
const ABOUT: Record<WrittenStatus, NoticeKind | null> = {
  pending_payment: 'payment_reminder',
  paid: 'order_paid',
  cancelled: 'order_cancelled',
  refunded: 'order_refunded',
  failed: null,
};

type TooSoon = { status: 'too_soon'; retryAfterMs: number };
type SendResult =
  | { status: 'sent'; sentTo: string }
  | TooSoon
  | { status: 'not_found' | 'order_not_found' | 'verified' | 'banned' | 'demo' };

/** Sends a person a mail again, to the address of the account and no other. @throws what sending a mail throws */
export async function sendPersonMail(actor: Actor, userId: string, mail: PersonMail): Promise<SendResult> {
  demand(actor, 'helpPeople');
  const user = await db().user.findUnique({ where: { id: userId } });
  if (!user || user.deletedAt !== null) return { status: 'not_found' };
  const { email, locale } = user;
  const note = (tx: Db, by = actor) =>
    recordAction(tx, by, {
      action: 'person.send_mail',
      subject: { kind: 'user', id: userId },
      before: null,
      after: mail,
    });
  if (mail.kind !== 'order' && user.bannedAt !== null) return { status: 'banned' };
  if (mail.kind === 'password_reset' && user.isDemo) return { status: 'demo' };
  if (mail.kind === 'verification' && user.emailVerifiedAt !== null) return { status: 'verified' };
  if (mail.orderNo !== undefined) return sendAboutOrder(user, mail.orderNo, note);
  const sent =
    mail.kind === 'verification'
      ? await sendVerification({ userId, email, locale: toLocale(locale) })
      : await askPasswordReset(email, { address: null, headers: new Headers() });
  if (sent.status === 'too_soon') return sent;
  // It has gone.
  await transaction((tx) => note(tx, withoutSession(actor)));
  return { status: 'sent', sentTo: email };
}

async function sendAboutOrder(
  { id: userId, email }: Pick<User, 'id' | 'email'>,
  orderNo: string,
  note: (tx: Db) => Promise<void>,
): Promise<SendResult> {
  const parsed = parseOrderNo(orderNo);
  const order =
    parsed === null ? null : await db().order.findUnique({ where: { shard_id: orderKey(parsed) } });
  const kind = order?.userId === userId ? ABOUT[order.status as WrittenStatus] : null;
  if (!order || !kind) return { status: 'order_not_found' };
  const claimed = await claimRequest('order-mail', null, [byOrder(orderNo)]);
  if (claimed.status === 'wait') return { status: 'too_soon', retryAfterMs: claimed.waitMs };
  const messages = noticesOf(
    kind,
    { saleId: order.saleId, orderNo: String(order.id) },
    { nth: `again-${Date.now()}` },
  );
  await unlessThrown(
    claimed.claim,
    transaction(async (tx) => {
      await putMessages(
        tx,
        messages
          .filter(({ topic }) => topic === 'mail')
          .map(({ topic, payload }) => ({ topic, payload: { ...payload, isAsked: true } })),
      );
      await note(tx);
    }),
  );
  return { status: 'sent', sentTo: email };
}
