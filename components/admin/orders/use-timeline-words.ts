'use client';

import { useLocale, useTranslations } from 'next-intl';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { NOTICE_KINDS } from '@/lib/contract/words/notice';
import { PAYMENT_OUTCOMES } from '@/lib/contract/words/payment';
import { formatMoney } from '@/lib/money';
import { PAYMENT_DISPUTED, PAYMENT_FAILED, PAYMENT_SUCCEEDED } from '@/lib/payment/records/types';
import { usePartWords } from '../queues/use-part-words';
import type { TimelineEntry } from './timeline-of';

/** Puts a line of an order's story in words. A kind without words comes from a newer server and is shown as it is. */
export function useTimelineWords({ amountMinor, currency }: OrderDetail): (line: TimelineEntry) => string {
  const t = useTranslations('AdminOrders');
  const locale = useLocale();
  const partWord = usePartWords();
  const money = (minor: unknown, of: unknown = currency) =>
    formatMoney(
      typeof minor === 'number' ? minor : amountMinor,
      typeof of === 'string' ? of : currency,
      locale,
    );
  const paymentWords = (type: string) => {
    if (type === PAYMENT_SUCCEEDED) return t('payments.succeeded');
    if (type === PAYMENT_DISPUTED) return t('payments.disputed');
    return type === PAYMENT_FAILED ? t('payments.failed') : type;
  };
  return (line) => {
    switch (line.kind) {
      case 'history': {
        const { amountMinor: amount, currency: of, fromMinor, toMinor, expectedMinor } = line.data;
        const values = {
          amount: money(amount, of),
          expected: money(expectedMinor),
          from: money(fromMinor),
          to: money(toMinor),
        };
        return t(`happened.${line.cause}`, values);
      }
      case 'provider': {
        const outcome = PAYMENT_OUTCOMES.find((known) => known === line.outcome);
        return t('lines.provider', {
          what: paymentWords(line.type),
          outcome: outcome ? t(`outcomes.${outcome}`) : line.outcome,
        });
      }
      case 'told': {
        const kind = NOTICE_KINDS.find((known) => known === line.what);
        return t('lines.told', { what: kind ? t(`notices.${kind}`) : line.what });
      }
      case 'deadLetter':
        return t('lines.deadLetter', { what: partWord(line.what) });
      default:
        return t(`lines.${line.kind}`, { what: line.what });
    }
  };
}
