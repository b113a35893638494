'use client';

import { useLocale, useTranslations } from 'next-intl';
import { formatMoney } from '@/lib/money';
import { savedPercent } from './saved-percent';

interface PriceProps {
  priceMinor: number;
  listPriceMinor: number | null;
  currency: string;
  size: 'card' | 'page';
}

/** Shows the flash price, and the saving against the list price where there is one. */
export function Price({ priceMinor, listPriceMinor, currency, size }: PriceProps) {
  const t = useTranslations('Sale');
  const locale = useLocale();
  const saved = listPriceMinor === null ? 0 : listPriceMinor - priceMinor;
  const hasSaving = listPriceMinor !== null && saved > 0;
  const share = hasSaving ? savedPercent(priceMinor, listPriceMinor) : null;
  const percent =
    share === null ? null : new Intl.NumberFormat(locale, { style: 'percent' }).format(share / 100);
  const amount = formatMoney(saved, currency, locale);
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 tabular-nums">
      <span className="sr-only">{t('price')}</span>
      <strong className={size === 'page' ? 'font-bold text-4xl tracking-tight' : 'font-bold text-xl'}>
        {formatMoney(priceMinor, currency, locale)}
      </strong>
      {hasSaving ? (
        <>
          <span className="sr-only">{t('listPrice')}</span>
          <s className="text-muted">{formatMoney(listPriceMinor, currency, locale)}</s>
          {size === 'page' ? (
            <span className="font-medium text-text">
              {percent === null ? t('savingAmount', { amount }) : t('saving', { amount, percent })}
            </span>
          ) : null}
        </>
      ) : null}
    </p>
  );
}
