'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { isolated } from '@/lib/human-text';
import { formatMoney } from '@/lib/money';

/** Lists the parts of an order's money that were given back, oldest first; nothing if there are none. */
export function RefundParts({ order }: { order: OrderDetail }) {
  const t = useTranslations('AdminOrders');
  const locale = useLocale();
  const localDate = useLocalDate();
  const { refundParts, currency, people } = order;
  if (refundParts.length === 0) return null;
  return (
    <Card className="p-5">
      <section aria-label={t('parts')} className="grid gap-4">
        <h2 className="font-semibold text-lg">{t('parts')}</h2>
        <ol className="grid gap-3">
          {refundParts.map(({ amountMinor, reason, askedBy, askedAt, sentAt }, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are only added, at the end
            <li key={nth} className="grid grid-cols-[auto_1fr] gap-x-6">
              <span className="font-semibold tabular-nums">{formatMoney(amountMinor, currency, locale)}</span>
              <span className="wrap-anywhere">
                {t('partOn', {
                  date: localDate(askedAt, 'short'),
                  who: people[askedBy] ?? askedBy,
                  reason: isolated(reason),
                })}
                <span className="block text-muted text-sm">
                  {sentAt === null ? t('partDue') : t('partSent', { date: localDate(sentAt, 'short') })}
                </span>
              </span>
            </li>
          ))}
        </ol>
      </section>
    </Card>
  );
}
