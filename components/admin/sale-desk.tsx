'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { ApiProblem } from '@/components/api/api-problem';
import type { LiveNumbers, ReservationWindow } from '@/components/api/types';
import { formatShort } from '@/components/clock/countdown-parts';
import { CenteredMessage } from '@/components/layout/centered-message';
import { usePathId } from '@/components/layout/use-path-id';
import { buttonStyle } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import { getLive } from './admin-api';
import { DeadLetters } from './dead-letters';
import { DeskGate } from './desk-gate';
import { Figures } from './figures';
import { Invariants } from './invariants';
import { LimitsForm } from './limits-form';
import { SaleActions } from './sale-actions';
import { deskState, SaleStateBadge } from './sale-state-badge';
import { SaleEditing } from './sales/sale-editing';
import { SideServices } from './side-services';
import { StaleNotice } from './stale-notice';
import { StockBar } from './stock-bar';
import { StockForm } from './stock-form';

const EVERY_MS = 1000;

export function SaleDeskPage() {
  return (
    <DeskGate>
      <SaleDesk />
    </DeskGate>
  );
}

/** One sale in numbers of this second, and what can be done with it. */
function SaleDesk() {
  const t = useTranslations('Admin');
  const saleId = usePathId();
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['admin-live', saleId],
    queryFn: ({ signal }) => getLive(saleId ?? '', signal),
    enabled: saleId !== null,
    refetchInterval: EVERY_MS,
    retry: false,
  });
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <CenteredMessage heading={t('saleNotFound')}>
        <Link href="/admin/sales" className={buttonStyle()}>
          {t('allSales')}
        </Link>
      </CenteredMessage>
    );
  }
  return (
    <div className="grid gap-6">
      <StaleNotice hasFailed={error !== null} freshAt={dataUpdatedAt} />
      {data ? (
        <Numbers live={data} freshAt={dataUpdatedAt} refresh={() => void refetch()} />
      ) : (
        <p className="text-lg text-muted">{t('loadingNumbers')}</p>
      )}
    </div>
  );
}

function Numbers({ live, freshAt, refresh }: { live: LiveNumbers; freshAt: number; refresh: () => void }) {
  const t = useTranslations('Admin');
  const { sale, stock, queue, attempts, database } = live;
  const state = deskState(sale, live.phase);
  const isOpen = state !== 'draft' && state !== 'closed' && state !== 'ended';
  return (
    <>
      <Heading live={live} freshAt={freshAt} />
      <Card className="p-5">
        <h2 className="mb-4 font-semibold text-lg">{t('stockHeading')}</h2>
        {stock ? <StockBar stock={stock} /> : <Notice>{t('notLoaded')}</Notice>}
      </Card>
      <div
        className={cn('grid gap-6 md:grid-cols-2', live.reservations ? 'lg:grid-cols-4' : 'lg:grid-cols-3')}
      >
        {live.reservations && sale.reservation ? (
          <Reservations window={sale.reservation} reservations={live.reservations} />
        ) : null}
        <Figures
          heading={t('attemptsHeading')}
          figures={[
            { label: t('accepted'), value: attempts.accepted },
            { label: t('replayed'), value: attempts.replayed },
            { label: t('soldOut'), value: attempts.soldOut },
            { label: t('rateLimited'), value: attempts.rateLimited },
            { label: t('rejected'), value: attempts.rejected },
          ]}
        />
        <Figures
          heading={t('queueHeading')}
          figures={[
            { label: t('outbox'), value: queue.outbox },
            { label: t('relayLag'), value: t('milliseconds', { count: Math.round(queue.relayLagMs ?? 0) }) },
            {
              label: t('ordersPerSec'),
              value: queue.ordersPerSec === null ? '–' : Math.round(queue.ordersPerSec * 10) / 10,
            },
            { label: t('deadLetters'), value: queue.deadLetters, isBad: queue.deadLetters > 0 },
            { label: t('riskHits'), value: live.risk.hits },
          ]}
        />
        <Figures
          heading={t('databaseHeading')}
          help={t('databaseHelp')}
          figures={[
            { label: t('held'), value: database.held },
            { label: t('sold'), value: database.sold },
          ]}
        />
      </div>
      <Invariants invariants={live.invariants} />
      <SideServices breakers={live.breakers} />
      <DeadLetters saleId={sale.saleId} count={queue.deadLetters} onChange={refresh} />
      <div className="grid items-start gap-6 md:grid-cols-2">
        <SaleActions live={live} state={state} onChange={refresh} />
        {stock && isOpen && stock.total >= 0 ? (
          <StockForm saleId={sale.saleId} stock={stock} onChange={refresh} />
        ) : null}
      </div>
      <SaleEditing sale={sale} isOpen={isOpen} onChange={refresh} />
      {isOpen || state === 'draft' ? <LimitsForm saleId={sale.saleId} limits={sale.limits} /> : null}
    </>
  );
}

function Reservations({
  window: { opensAt, closesAt },
  reservations,
}: {
  window: ReservationWindow;
  reservations: NonNullable<LiveNumbers['reservations']>;
}) {
  const t = useTranslations('Admin');
  const localDate = useLocalDate();
  return (
    <Figures
      heading={t('reservationsHeading')}
      help={t('reservationsHelp', { from: localDate(opensAt, 'short'), to: localDate(closesAt, 'short') })}
      figures={[
        { label: t('reservedCount'), value: reservations.reserved },
        { label: t('reservedWritten'), value: reservations.written },
      ]}
    />
  );
}

function Heading({ live, freshAt }: { live: LiveNumbers; freshAt: number }) {
  const t = useTranslations('Admin');
  const words = useTranslations('Sale');
  const localDate = useLocalDate();
  const { sale, serverTime } = live;
  const state = deskState(sale, live.phase);
  const isBefore = state === 'scheduled' || (state === 'paused' && serverTime < sale.startsAt);
  const isRunning = state === 'live' || state === 'sold_out' || (state === 'paused' && !isBefore);
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div className="grid gap-2">
        <Link href="/admin/sales" className="text-muted underline-offset-4 hover:underline" prefetch={false}>
          {t('allSales')}
        </Link>
        <h1 className="font-bold text-3xl tracking-tight">{sale.title}</h1>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted tabular-nums">
          <SaleStateBadge state={state} />
          {isBefore ? (
            <span>
              {words('countdownToStart')} {formatShort(sale.startsAt - serverTime)}
            </span>
          ) : null}
          {isRunning ? (
            <span>
              {words('countdownToEnd')} {formatShort(sale.endsAt - serverTime)}
            </span>
          ) : null}
          <span>
            {localDate(sale.startsAt, 'short')} – {localDate(sale.endsAt, 'short')}
          </span>
          <span>{t('decidedBy', { strategy: t(`form.strategies.${sale.strategy}.name`) })}</span>
          {sale.onStockOutage === 'database' ? <span>{t(`stockMode.${live.stockMode}`)}</span> : null}
          {sale.challenge === 'none' ? null : (
            <span>{t('beforeEntry', { challenge: t(`form.challenges.${sale.challenge}.name`) })}</span>
          )}
          <span>{t('asOf', { time: localDate(freshAt, 'time') })}</span>
        </p>
      </div>
      {sale.status === 'draft' ? null : (
        <Link href={`/sales/${sale.slug}`} className={buttonStyle()} prefetch={false}>
          {t('toSalePage')}
        </Link>
      )}
    </div>
  );
}
