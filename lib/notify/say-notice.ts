import 'server-only';
import { pageAddress } from '@/i18n/page-address';
import { fill, fillSubject, mailWords } from './mail-words';
import type { MailLink, MailText, Notice, SaleNotice } from './types';

/**
 * Puts a notice into words, in its reader's language: plain text, so text from shoppers and merchants is never markup.
 * @param publicUrl where the shop is @param timeZone of its times; null: UTC
 */
export function sayNotice(
  notice: Notice | SaleNotice,
  publicUrl: string,
  timeZone: string | null,
): MailText & { link: MailLink } {
  const { kind, locale, saleTitle } = notice;
  const words = mailWords(locale);
  const isOfOrder = 'orderNo' in notice;
  const path = isOfOrder ? `/orders/${notice.orderNo}` : `/sales/${notice.saleSlug}`;
  const url = new URL(pageAddress(path, locale), publicUrl).href;
  const values = {
    title: saleTitle,
    url,
    ...(isOfOrder ? orderValues(notice, timeZone ?? 'UTC') : saleValues(notice)),
  };
  return {
    locale,
    subject: fillSubject(words[kind].subject, values),
    text: fill(words[kind].text, values),
    link: {
      url,
      label: isOfOrder ? words.orderButton : words.saleButton,
      line: fill(isOfOrder ? words.order : words.sale, values),
    },
  };
}

function orderValues({ locale, amountMinor, currency, payBy, orderNo }: Notice, timeZone: string) {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = money.resolvedOptions();
  return {
    amount: money.format(amountMinor / 10 ** maximumFractionDigits),
    payBy: formatTime(payBy, timeZone),
    orderNo,
  };
}

const saleValues = ({ locale, place }: SaleNotice) => ({
  place: place === null ? '' : new Intl.NumberFormat(locale).format(place),
});

/** As `2026-11-22 08:05 UTC`: read the same in every language, and with its zone. */
function formatTime(atMs: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const part = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute} ${part.timeZoneName}`;
}
