import type { Notice } from './types';

export type MailWords = { subject: string; text: string };

/** Fills a mail's words: `{title}`, `{amount}` and `{payBy}` (UTC). Plain text; no shopper's or merchant's text is markup. */
export function formatMail(words: MailWords, notice: Notice, orderUrl: string): MailWords {
  const { saleTitle, amountMinor, currency, payBy, orderNo } = notice;
  const money = new Intl.NumberFormat('en', { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = money.resolvedOptions();
  const values: Record<string, string> = {
    title: saleTitle,
    amount: money.format(amountMinor / 10 ** maximumFractionDigits),
    payBy: `${new Date(payBy).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  return {
    // A title may hold anything; a subject is one line.
    subject: fill(words.subject).replace(/\s+/g, ' ').slice(0, 200),
    text: `${fill(words.text)}\n\nOrder ${orderNo}: ${orderUrl}\n`,
  };
}
