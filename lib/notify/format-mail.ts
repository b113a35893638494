import 'server-only';
import { pageAddress } from '@/i18n/page-address';
import { readMessages } from '@/i18n/read-messages';
import { cutText, isolated } from '@/lib/human-text';
import { formatMoney } from '@/lib/money';
import { fill } from './fill';
import type { Notice } from './types';

/**
 * Writes subject and text of the mail for a notice, in its reader's language. Plain text, so text from shoppers and
 * merchants is never markup. Times are in UTC, because the reader's time zone is unknown.
 * @param publicUrl where the shop is
 */
export function formatMail(notice: Notice, publicUrl: string): { subject: string; text: string } {
  const { kind, locale, saleTitle, amountMinor, currency, payBy, orderNo } = notice;
  const words = readMessages(locale).Mail;
  const values = {
    title: isolated(saleTitle),
    amount: formatMoney(amountMinor, currency, locale),
    payBy: `${new Date(payBy).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    orderNo,
    url: new URL(pageAddress(`/orders/${orderNo}`, locale), publicUrl).href,
  };
  return {
    // A title may hold line breaks; a subject is one line, and ends with the title.
    subject: cutText(fill(words[kind].subject, { ...values, title: saleTitle }).replace(/\s+/g, ' '), 200),
    text: `${fill(words[kind].text, values)}\n\n${fill(words.order, values)}\n`,
  };
}
