import { useLocale, useTranslations } from 'next-intl';
import { addressOf } from '@/components/api/request';
import { pageAddress } from '@/i18n/page-address';
import type { Locale } from '@/i18n/routing';
import { nowMs } from '@/lib/clock';
import type { SaleInfo } from '@/lib/contract/shapes/sale';

/**
 * Offers the sale's address for others, and until it starts, the sale for the shopper's calendar. Neither has a script:
 * the page has almost no room for more.
 * @param shop the address shoppers see
 */
export function SaleLinks({ sale, shop }: { sale: SaleInfo; shop: string }) {
  const t = useTranslations('Sale');
  const locale = useLocale() as Locale;
  const { saleId, slug, startsAt } = sale;
  const calendar = addressOf('GET /api/sales/{saleId}/calendar.ics', {
    params: { saleId },
    query: { locale },
  });
  return (
    <div className="flex flex-wrap items-start gap-x-6">
      <details className="min-w-0 open:basis-full">
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-medium underline underline-offset-4">
          {t('share')}
        </summary>
        <input
          readOnly
          aria-label={t('shareAddress')}
          value={new URL(pageAddress(`/sales/${slug}`, locale), shop).href}
          className="mb-2 min-h-11 w-full rounded-xl border border-control bg-panel px-3 text-base text-text"
        />
      </details>
      {nowMs() < startsAt ? (
        <a
          href={calendar}
          className="inline-flex min-h-11 items-center font-medium underline underline-offset-4"
        >
          {t('calendar')}
        </a>
      ) : null}
    </div>
  );
}
