'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { formatShort } from '@/components/clock/countdown-parts';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { Situation } from '@/lib/contract/shapes/live';
import { type AdminState, SaleStateBadge } from '../sales/sale-state-badge';

interface LiveHeadingProps {
  situation: Situation;
  state: AdminState;
  /** The server's time, epoch ms. */
  now: number;
  /** When the figures came, by the device's clock, epoch ms. */
  freshAt: number;
  isStreaming: boolean;
  /** The buttons of the sale's actions. */
  children: ReactNode;
}

/** Shows the sale's name, its state, a countdown to its start or end, and the actions. */
export function LiveHeading({ situation, state, now, freshAt, isStreaming, children }: LiveHeadingProps) {
  const t = useTranslations('Admin');
  const words = useTranslations('Sale');
  const own = useTranslations('AdminLive');
  const localDate = useLocalDate();
  const { sale } = situation;
  const isBefore = state === 'scheduled' || (state === 'paused' && now < sale.startsAt);
  const isRunning = state === 'live' || state === 'sold_out' || (state === 'paused' && !isBefore);
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
          <h1 className="min-w-0 break-words font-bold text-2xl tracking-tight">
            <bdi>{sale.title}</bdi>
          </h1>
          <SaleStateBadge state={state} />
          {isBefore || isRunning ? (
            <p className="flex items-baseline gap-2 text-muted">
              {words(isBefore ? 'countdownToStart' : 'countdownToEnd')}
              <span className="font-bold text-2xl text-text tabular-nums">
                {formatShort((isBefore ? sale.startsAt : sale.endsAt) - now)}
              </span>
            </p>
          ) : null}
        </div>
        {children}
      </div>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm tabular-nums">
        <Link href="/admin/sales" className="underline-offset-4 hover:underline" prefetch={false}>
          {t('allSales')}
        </Link>
        <span>
          {localDate(sale.startsAt, 'short')} – {localDate(sale.endsAt, 'short')}
        </span>
        <span>{t('decidedBy', { strategy: t(`form.strategies.${sale.strategy}.name`) })}</span>
        {sale.onStockOutage === 'database' ? <span>{t(`stockMode.${situation.stockMode}`)}</span> : null}
        {sale.challenge === 'none' ? null : (
          <span>{t('beforeEntry', { challenge: t(`form.challenges.${sale.challenge}.name`) })}</span>
        )}
        <span>{own(isStreaming ? 'asOfLive' : 'asOfAsked', { time: localDate(freshAt, 'time') })}</span>
        {sale.status === 'draft' ? null : (
          <Link href={`/sales/${sale.slug}`} className="underline-offset-4 hover:underline" prefetch={false}>
            {t('toSalePage')}
          </Link>
        )}
        {sale.status === 'draft' ? null : (
          <Link
            href={`/admin/reconcile?${new URLSearchParams({ saleId: sale.saleId })}`}
            className="underline-offset-4 hover:underline"
            prefetch={false}
          >
            {own('reconcile')}
          </Link>
        )}
      </p>
    </div>
  );
}
