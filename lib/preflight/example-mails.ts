import 'server-only';
import { readMessages } from '@/i18n/read-messages';
import type { Locale } from '@/i18n/routing';
import { alertListMail, alertMail } from '@/lib/alert/admin/alert-mail';
import type { MailExample } from '@/lib/contract/shapes/mail';
import { type AccountMail, MAIL_KINDS, type MailKind } from '@/lib/contract/words/mail';
import { NOTICE_KINDS, type NoticeKind } from '@/lib/contract/words/notice';
import { env } from '@/lib/env';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { formatMail } from '@/lib/notify/format-mail';
import { renderMail } from '@/lib/notify/render-mail';
import type { MailParts } from '@/lib/notify/types';

/** No account has this id, so nothing in an example does anything. */
const NO_ID = 'example';
const AT = Date.UTC(2026, 11, 24, 18, 30);

/** Makes every mail of the shop with made-up names, as it would be sent. */
export const exampleMails = (locale: Locale): MailExample[] =>
  MAIL_KINDS.map((kind) => {
    const parts = partsOf(kind, locale);
    return { kind, language: parts.locale, subject: parts.subject, ...renderMail(parts) };
  });

function partsOf(kind: MailKind, locale: Locale): MailParts {
  if (kind === 'alert') return alertMail({ ...ALERT, kind: 'firing' });
  if (kind === 'alerts')
    return alertListMail({ kind: 'several', key: NO_ID, count: '9', lines: LINES, to: NO_ID });
  return isNotice(kind) ? ofNotice(kind, locale) : ofAccount(kind, locale);
}

const isNotice = (kind: MailKind): kind is NoticeKind => (NOTICE_KINDS as readonly string[]).includes(kind);

const ofNotice = (kind: NoticeKind, locale: Locale): MailParts =>
  formatMail(
    {
      key: NO_ID,
      kind,
      userId: NO_ID,
      email: 'ada@example.com',
      locale,
      timeZone: null,
      mutedMails: [],
      lacksAddress: false,
      orderNo: '1024',
      saleSlug: NO_ID,
      saleTitle: readMessages(locale).AdminMails.example,
      amountMinor: 4290,
      currency: 'EUR',
      payBy: AT,
    },
    env().publicUrl,
  );

function ofAccount(kind: AccountMail, locale: Locale): MailParts {
  const { publicUrl } = env();
  const words = readMessages(locale);
  const url = 'button' in words.Mail[kind] ? publicUrl : undefined;
  return sayAccountMail(kind, locale, url, {
    email: 'ada@example.org',
    days: '7',
    name: 'Example ID',
    shop: words.AdminMails.exampleShop,
    by: 'Ada',
    host: new URL(publicUrl).host,
  });
}

const ALERT = {
  alertId: '1',
  rule: 'outbox_lag',
  subject: 'sale_1',
  unit: 'seconds',
  value: '42',
  threshold: '10',
  since: String(AT),
  at: String(AT + 30_000),
  to: NO_ID,
};
const LINES =
  'Alert: dead_letters (mail) is 4 count; the threshold is 0.\nAlert: store_down (redis) is 1 count; the threshold is 0.\nand 7 more';
