import 'server-only';
import { pageAddress } from '@/i18n/page-address';
import { readMessages } from '@/i18n/read-messages';
import { stopMailsLinks } from '@/lib/account/stop-mails-link';
import { TOPIC_OF } from '@/lib/contract/words/mail';
import { isTimeZone } from '@/lib/contract/words/time-zone';
import { cutText, isolated } from '@/lib/human-text';
import { formatMoney } from '@/lib/money';
import { fill } from './fill';
import type { MailParts, Notice } from './types';

/**
 * Writes the mail for a notice, in its reader's language.
 * @param publicUrl where the shop is
 */
export function formatMail(notice: Notice, publicUrl: string): MailParts {
  const { kind, userId, locale, timeZone, lacksAddress, orderNo, saleSlug, saleTitle } = notice;
  const { amountMinor, currency, payBy } = notice;
  const topic = TOPIC_OF[kind];
  // There is no order then.
  const [path, button] =
    kind === 'not_drawn'
      ? ([`/sales/${saleSlug}`, 'sale'] as const)
      : ([`/orders/${orderNo}`, 'order'] as const);
  const words = readMessages(locale).Mail;
  const values = {
    title: isolated(saleTitle),
    amount: formatMoney(amountMinor, currency, locale),
    payBy: sayTime(payBy, locale, timeZone),
    orderNo,
  };
  return {
    locale,
    // A title may hold line breaks; a subject is one line, and ends with the title.
    subject: cutText(fill(words[kind].subject, { ...values, title: saleTitle }).replace(/\s+/g, ' '), 200),
    paragraphs: [fill(words[kind].text, values), ...(lacksAddress ? [words.lacksAddress] : [])],
    link: {
      url: new URL(pageAddress(path, locale), publicUrl).href,
      label: fill(words[button], values),
    },
    stop: topic && stopMailsLinks(userId, topic, locale),
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
