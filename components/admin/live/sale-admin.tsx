'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { useMay } from '@/components/session/use-may';
import { useRefreshSession } from '@/components/session/use-session';
import { buttonStyle } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CenteredMessage } from '@/components/ui/centered-message';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { usePathId } from '@/components/ui/use-path-id';
import { useProblemText } from '@/components/ui/use-problem-text';
import { Link } from '@/i18n/navigation';
import type { Live } from '@/lib/contract/shapes/live';
import type { ReservationWindow } from '@/lib/contract/shapes/sale';
import { AdminGate } from '../kit/admin-gate';
import { Figures } from '../kit/figures';
import { RehearsalCard } from '../rehearsal/rehearsal-card';
import { LimitsForm } from '../sales/limits-form';
import { SaleActions } from '../sales/sale-actions';
import { SaleEditing } from '../sales/sale-editing';
import { adminState } from '../sales/sale-state-badge';
import { DeadLetters } from './dead-letters';
import { Funnel } from './funnel';
import { InvariantStrip } from './invariant-strip';
import { LiveCharts } from './live-charts';
import { LiveHeading } from './live-heading';
import { RefusalList, RiskList } from './reasons';
import { SideServices } from './side-services';
import { StaleNotice } from './stale-notice';
import { StockBar } from './stock-bar';
import { StockDialog } from './stock-dialog';
import { type LiveSample, useLive } from './use-live';
import { useNow } from './use-now';

export function SaleAdminPage() {
  const saleId = usePathId();
  return <AdminGate>{saleId === null ? null : <SaleAdmin key={saleId} saleId={saleId} />}</AdminGate>;
}

/** Shows one sale with the figures of this second, and the actions on it. */
function SaleAdmin({ saleId }: { saleId: string }) {
  const t = useTranslations('Admin');
  const problemText = useProblemText();
  const refreshSession = useRefreshSession();
  const { data, error, dataUpdatedAt, isStreaming, refetch } = useLive(saleId);
  const isSignedOut = error instanceof ApiProblem && error.status === 401;
  useEffect(() => {
    if (isSignedOut) void refreshSession();
  }, [isSignedOut, refreshSession]);
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <CenteredMessage heading={t('saleNotFound')}>
        <Link href="/admin/sales" className={buttonStyle()}>
          {t('allSales')}
        </Link>
      </CenteredMessage>
    );
  }
  if (!data)
    return error ? (
      <Notice tone="warning" role="alert">
        {problemText(error)}
      </Notice>
    ) : (
      <p className="text-lg text-muted">{t('loadingNumbers')}</p>
    );
  return (
    <>
      <Admin live={data} freshAt={dataUpdatedAt} isStreaming={isStreaming} refresh={() => void refetch()} />
      <StaleNotice freshAt={dataUpdatedAt} />
    </>
  );
}

interface AdminProps {
  live: LiveSample;
  /** Device time, epoch ms. */
  freshAt: number;
  isStreaming: boolean;
  refresh: () => void;
}

function Admin({ live, freshAt, isStreaming, refresh }: AdminProps) {
  const t = useTranslations('Admin');
  const now = live.serverTime + Math.max(0, useNow() - freshAt);
  const { sale, stock } = live;
  const state = adminState(sale, live.phase);
  const isOpen = state !== 'draft' && state !== 'closed' && state !== 'ended';
  const mayAct = useMay('manageSales');
  return (
    <div className="grid gap-3">
      <LiveHeading live={live} state={state} now={now} freshAt={freshAt} isStreaming={isStreaming}>
        {mayAct ? (
          <SaleActions live={live} state={state} onChange={refresh}>
            {stock && isOpen && stock.total >= 0 ? (
              <StockDialog saleId={sale.saleId} stock={stock} onChange={refresh} />
            ) : null}
          </SaleActions>
        ) : null}
      </LiveHeading>
      <Card className="p-4">
        <h2 className="sr-only">{t('stockHeading')}</h2>
        {stock ? <StockBar stock={stock} /> : <Notice>{t('notLoaded')}</Notice>}
      </Card>
      {sale.status === 'draft' ? null : <Running live={live} now={now} refresh={refresh} />}
      <SaleEditing sale={sale} isOpen={isOpen} onChange={refresh} />
      <RehearsalCard saleId={sale.saleId} canStart={state === 'draft' || state === 'scheduled'} />
      {mayAct && (isOpen || state === 'draft') ? (
        <LimitsForm saleId={sale.saleId} limits={sale.limits} />
      ) : null}
    </div>
  );
}

/** Shows what happens in a published sale. The first two rows and the strip of promises should fit on the first screen. */
function Running({ live, now, refresh }: { live: LiveSample; now: number; refresh: () => void }) {
  const { sale, queue, database } = live;
  return (
    <>
      <div className="grid gap-3 md:grid-cols-2 lg:grid-cols-4">
        <LiveCharts points={live.points} />
        <Funnel orders={live.orders} />
        <RefusalList refusals={live.refusals} />
        <RiskList rules={live.riskRules} />
        <Written queue={queue} database={database} />
      </div>
      <InvariantStrip invariants={live.invariants} verifiedAt={live.verifiedAt} now={now} />
      {live.reservations && sale.reservation ? (
        <Reservations window={sale.reservation} reservations={live.reservations} />
      ) : null}
      <SideServices breakers={live.breakers} />
      <DeadLetters saleId={sale.saleId} count={queue.deadLetters} onChange={refresh} />
    </>
  );
}

function Written({ queue, database }: Pick<Live, 'queue' | 'database'>) {
  const t = useTranslations('AdminLive');
  const rate = queue.ordersPerSec === null ? '–' : Math.round(queue.ordersPerSec * 10) / 10;
  const deadLetters = { value: queue.deadLetters, isBad: queue.deadLetters > 0 };
  return (
    <Figures
      heading={t('writtenHeading')}
      figures={[
        { label: t('ordersPerSec'), help: t('ordersPerSecHelp'), value: rate },
        { label: t('deadLetters'), help: t('deadLettersHelp'), ...deadLetters },
        { label: t('databaseHeld'), help: t('databaseHelp'), value: database.held },
        { label: t('databaseSold'), help: t('databaseHelp'), value: database.sold },
      ]}
    />
  );
}

function Reservations({
  window: { opensAt, closesAt },
  reservations,
}: {
  window: ReservationWindow;
  reservations: NonNullable<Live['reservations']>;
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
