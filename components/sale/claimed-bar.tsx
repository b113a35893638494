'use client';

import { useLocale, useTranslations } from 'next-intl';
import { cn } from '@/components/ui/cn';
import type { StockView } from '@/lib/contract/shapes/sale';
import { claimedShare } from './claimed-share';

interface ClaimedBarProps {
  stock: StockView | null;
  /** −1 = unlimited. */
  totalStock: number;
  /** Only a stock that is running out has the accent colour. */
  isLive: boolean;
  /** The sale has ended: what is left cannot be bought. */
  isOver?: boolean;
}

/**
 * Shows how much of the stock is claimed, and how much there is while nothing is. Unlimited sales have no bar. Keeps its
 * space while the stock is unknown.
 */
export function ClaimedBar({ stock, totalStock, isLive, isOver = false }: ClaimedBarProps) {
  const t = useTranslations('Sale');
  const locale = useLocale();
  if (totalStock < 0) return <p className="text-muted">{t('unlimited')}</p>;

  const share = stock ? (claimedShare(stock) ?? 0) : 0;
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(share);
  return (
    <div className="grid gap-2">
      <div
        role="progressbar"
        aria-label={t('claimedBar')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={t('claimed', { percent })}
        className="h-3 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
      >
        <div
          className={cn(
            'h-full origin-left transition-transform rtl:origin-right',
            isLive ? 'bg-accent' : 'bg-control',
          )}
          style={{ transform: `scaleX(${share})` }}
        />
      </div>
      <p className="flex justify-between gap-4 text-base tabular-nums">
        <span className="whitespace-nowrap font-semibold">
          {share > 0 ? t('claimed', { percent }) : t('pieces', { count: stock?.total ?? totalStock })}
        </span>
        <span className="text-end text-muted">
          {stock && share > 0 && !isOver ? t('left', { count: stock.available }) : null}
        </span>
      </p>
    </div>
  );
}
