import 'server-only';
import { pageAddress } from '@/i18n/page-address';
import { readMessages } from '@/i18n/read-messages';
import { isTimeZone } from '@/lib/contract/words/time-zone';
import { cutText, isolated } from '@/lib/human-text';
import { formatMoney } from '@/lib/money';
import { fill } from './fill';
import type { Notice } from './types';

/**
 * Writes subject and text of the mail for a notice, in its reader's language. Plain text, so text from shoppers and
 * merchants is never markup.
 * @param publicUrl where the shop is
 */
export function formatMail(notice: Notice, publicUrl: string): { subject: string; text: string } {
  const { kind, locale, timeZone, saleTitle, amountMinor, currency, payBy, orderNo } = notice;
  const words = readMessages(locale).Mail;
  const values = {
    title: isolated(saleTitle),
    amount: formatMoney(amountMinor, currency, locale),
    payBy: sayTime(payBy, locale, timeZone),
    orderNo,
    url: new URL(pageAddress(`/orders/${orderNo}`, locale), publicUrl).href,
  };
  return {
    // A title may hold line breaks; a subject is one line, and ends with the title.
    subject: cutText(fill(words[kind].subject, { ...values, title: saleTitle }).replace(/\s+/g, ' '), 200),
    text: `${fill(words[kind].text, values)}\n\n${fill(words.order, values)}\n`,
  };
}

/** Says a time as its reader does, with the time zone. A stored zone may be one that this machine no longer knows. */
function sayTime(ms: number, locale: string, timeZone: string | null): string {
  const known = timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC';
  const style = {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  const format = { ...style, hourCycle: 'h23', timeZone: known, timeZoneName: 'short' } as const;
  return new Intl.DateTimeFormat(locale, format).format(ms);
}
