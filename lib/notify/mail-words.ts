import { formatMail, type MailWords } from './format-mail';
import type { Notice, NoticeKind } from './types';

/** The shop's mails. In its default language: an account has none of its own. */
const WORDS: Record<NoticeKind, MailWords> = {
  order_paid: {
    subject: 'Paid: {title}',
    text: 'We have received {amount} for {title}. It is yours. Your receipt is on the order’s page.',
  },
  payment_reminder: {
    subject: 'Still to be paid: {title}',
    text: '{title} is set aside for you. Please pay {amount} by {payBy}, or it goes back on sale. You owe nothing then.',
  },
  late_payment_kept: {
    subject: 'Yours after all: {title}',
    text: 'Your payment of {amount} for {title} arrived after the time to pay was over. A piece was still free, so the order stands and is paid.',
  },
  order_refunded: {
    subject: 'Refund: {title}',
    text: 'We have sent {amount} for {title} back to you, the way it came.',
  },
  order_cancelled: {
    subject: 'Cancelled: {title}',
    text: 'The shop has cancelled your order of {title}. You owe nothing. If a payment was on its way, it comes back by itself.',
  },
  price_changed: {
    subject: 'New price: {title}',
    text: 'The shop has changed what you pay for {title}: it is {amount} now.',
  },
};

/** Subject and text of the mail that carries a notice. @param orderUrl absolute */
export const mailOf = (notice: Notice, orderUrl: string) => formatMail(WORDS[notice.kind], notice, orderUrl);
