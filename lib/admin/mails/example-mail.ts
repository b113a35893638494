import 'server-only';
import type { Locale } from '@/i18n/routing';
import { stopLinks } from '@/lib/account/stop-mails-link';
import type { MailKind } from '@/lib/contract/words/mail';
import { mailTopicOf } from '@/lib/contract/words/mail-topic';
import {
  NOTICE_KINDS,
  type NoticeKind,
  ORDER_NOTICE_KINDS,
  type OrderNoticeKind,
} from '@/lib/contract/words/notice';
import { env } from '@/lib/env';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { mailWords } from '@/lib/notify/mail-words';
import { renderMail } from '@/lib/notify/render-mail';
import { sayNotice } from '@/lib/notify/say-notice';
import type { MailText, Notice, SaleNotice } from '@/lib/notify/types';

/** No account has it, so its links do nothing. */
const NOBODY = 'example';
const PAY_BY = Date.UTC(2026, 11, 24, 18, 30);

/** Makes the mail of a kind with made-up names, as it would be sent. */
export function exampleMail(kind: MailKind, locale: Locale): { subject: string; text: string; html: string } {
  return renderMail(isNoticeKind(kind) ? ofNotice(kind, locale) : ofAccount(kind, locale));
}

const isNoticeKind = (kind: MailKind): kind is NoticeKind =>
  (NOTICE_KINDS as readonly string[]).includes(kind);
const isOfOrder = (kind: NoticeKind): kind is OrderNoticeKind =>
  (ORDER_NOTICE_KINDS as readonly string[]).includes(kind);

function ofNotice(kind: NoticeKind, locale: Locale): MailText {
  const about = {
    key: NOBODY,
    userId: NOBODY,
    email: 'ada@example.com',
    locale,
    saleTitle: mailWords(locale).example,
  };
  const notice: Notice | SaleNotice = isOfOrder(kind)
    ? { ...about, kind, orderNo: '1024', amountMinor: 4290, currency: 'EUR', payBy: PAY_BY }
    : { ...about, kind, saleSlug: 'lamp', place: 7 };
  const topic = mailTopicOf(kind);
  return {
    ...sayNotice(notice, env().publicUrl, null),
    stop: topic && stopLinks(NOBODY, topic, locale),
  };
}

function ofAccount(kind: Exclude<MailKind, NoticeKind>, locale: Locale): MailText {
  const { publicUrl } = env();
  const values = {
    email: 'ada.new@example.com',
    days: '7',
    name: 'Example ID',
    shop: mailWords(locale).example,
    by: 'Ada',
    host: new URL(publicUrl).host,
  };
  const url = 'button' in mailWords(locale)[kind] ? publicUrl : undefined;
  return sayAccountMail(kind, locale, { values, url });
}
