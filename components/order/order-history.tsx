'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { OrderView } from '@/lib/contract/shapes/order';
import type { HistoryCause } from '@/lib/contract/words/order';
import { formatMoney } from '@/lib/money';
import { useHistory } from './use-history';

interface OrderHistoryProps {
  order: OrderView;
  /** The entry token the order was bought with, or null to rely on the session. */
  token: string | null;
}

/** The causes this page has a sentence for; it leaves out causes it does not know (from a newer server). */
const WORDS: Record<HistoryCause, true> = {
  accepted: true,
  written: true,
  paid: true,
  expired: true,
  failed: true,
  revived: true,
  cancelled_by_shopper: true,
  cancelled_by_merchant: true,
  price_changed: true,
  payment_late: true,
  late_payment_kept: true,
  payment_mismatch: true,
  refund_requested: true,
  money_returned: true,
  part_refund_requested: true,
  part_returned: true,
};

/** Tells under "What happened" the order's story in plain words, oldest first. */
export function OrderHistory({ order, token }: OrderHistoryProps) {
  const t = useTranslations('Order');
  const locale = useLocale();
  const localDate = useLocalDate();
  const { currency, amountMinor } = order;
  const events = useHistory(order, token).filter(({ cause }) => cause in WORDS);
  if (events.length === 0) return null;
  return (
    <section aria-label={t('history')} className="grid gap-4">
      <h2 className="font-semibold text-xl">{t('history')}</h2>
      <ol className="grid gap-3">
        {events.map(({ at, cause, amountMinor: amount, currency: of }) => (
          <li key={`${at} ${cause}`} className="grid grid-cols-[auto_1fr] gap-x-4">
            <time dateTime={new Date(at).toISOString()} className="text-muted tabular-nums">
              {localDate(at, 'time')}
            </time>
            <span>
              {t(`happened.${cause}`, {
                amount: formatMoney(amount ?? amountMinor, of ?? currency, locale),
                expected: formatMoney(amountMinor, currency, locale),
              })}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
