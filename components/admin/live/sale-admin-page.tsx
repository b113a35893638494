'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { ApiProblem, isOff } from '@/components/api/api-problem';
import { useRefreshSession } from '@/components/session/use-session';
import { buttonStyle } from '@/components/ui/button';
import { CenteredMessage } from '@/components/ui/centered-message';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { usePathId } from '@/components/ui/use-path-id';
import { useProblemText } from '@/components/ui/use-problem-text';
import { Link } from '@/i18n/navigation';
import type { Live } from '@/lib/contract/shapes/live';
import type { ReservationWindow } from '@/lib/contract/shapes/sale';
import { STRATEGIES } from '@/lib/contract/words/sale';
import { AdminGate } from '../kit/admin-gate';
import { Figures } from '../kit/figures';
import { TakingsCards } from '../money/takings-cards';
import { DeadLetters } from './dead-letters';
import { Funnel } from './funnel';
import { InvariantStrip } from './invariant-strip';
import { LiveCharts } from './live-charts';
import { RefusalList, RiskList } from './reasons';
import { SaleFrame } from './sale-frame';
import { SaleWithoutFigures } from './sale-without-figures';
import { SideServices } from './side-services';
import { StaleNotice } from './stale-notice';
import { SwitchedOff } from './switched-off';
import { type LiveSample, useLive } from './use-live';
import { WaitlistCard } from './waitlist-card';

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
  if (isOff(data)) return <SaleWithoutFigures saleId={saleId} />;
  if (!data)
    return error ? (
      <Notice tone="warning" role="alert">
        {problemText(error)}
      </Notice>
    ) : (
      <p className="text-lg text-muted">{t('loadingNumbers')}</p>
    );
  const refresh = () => void refetch();
  return (
    <>
      <SaleFrame
        situation={data}
        freshAt={dataUpdatedAt}
        isStreaming={isStreaming}
        refresh={refresh}
        running={(now) => <Running live={data} now={now} refresh={refresh} />}
      />
      <StaleNotice freshAt={dataUpdatedAt} />
    </>
  );
}

/** Shows what happens in a published sale. The first two rows and the strip of promises should fit on the first screen. */
function Running({ live, now, refresh }: { live: LiveSample; now: number; refresh: () => void }) {
  const { sale, queue, database } = live;
  return (
    <>
      <SwitchedOff features={live.switchedOff} />
      <div className="grid gap-3 md:grid-cols-2 lg:grid-cols-4">
        <LiveCharts points={live.points} />
        <Funnel orders={live.orders} />
        <RefusalList refusals={live.refusals} />
        <RiskList rules={live.riskRules} />
        <Written queue={queue} database={database} hasQueue={STRATEGIES[sale.strategy].isQueued} />
      </div>
      <InvariantStrip invariants={live.invariants} verifiedAt={live.verifiedAt} now={now} />
      <div className="grid gap-3 empty:hidden md:grid-cols-2 lg:grid-cols-4">
        <TakingsCards asked={{ saleIds: sale.saleId }} />
      </div>
      {live.reservations && sale.reservation ? (
        <Reservations window={sale.reservation} reservations={live.reservations} />
      ) : null}
      {live.waitlist ? (
        <WaitlistCard saleId={sale.saleId} waitlist={live.waitlist} onChange={refresh} />
      ) : null}
      <SideServices breakers={live.breakers} />
      <DeadLetters saleId={sale.saleId} count={queue.deadLetters} onChange={refresh} />
    </>
  );
}

function Written({ queue, database, hasQueue }: Pick<Live, 'queue' | 'database'> & { hasQueue: boolean }) {
  const t = useTranslations('AdminLive');
  const rate = queue.ordersPerSec === null ? '–' : Math.round(queue.ordersPerSec * 10) / 10;
  const deadLetters = { value: queue.deadLetters, isBad: queue.deadLetters > 0 };
  return (
    <Figures
      heading={t('writtenHeading')}
      figures={[
        ...(hasQueue ? [{ label: t('undecided'), help: t('undecidedHelp'), value: queue.undecided }] : []),
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
