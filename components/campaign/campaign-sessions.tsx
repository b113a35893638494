'use client';

import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { isWorthRetrying } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { clockStore } from '@/components/clock/clock-store';
import { useClockSync } from '@/components/clock/use-clock-sync';
import { useServerNow } from '@/components/clock/use-server-now';
import { Countdown } from '@/components/sale/countdown';
import { type SaleListEntry, toListEntry } from '@/components/sale/shown-sale';
import { useStartMoved } from '@/components/sale/use-start-moved';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { LiveSale } from '@/lib/contract/shapes/sale';
import { CampaignSessionList } from './session-list';
import { type Session, sessionsAt } from './session-states';

/** How often the sessions' states refresh, give or take a quarter; sooner when one starts or ends. */
const EVERY_MS = 10_000;
const SPREAD = 0.25;
/** A state changes in the list of sales a moment after the clock says so; pages don't all ask at that moment. */
const AFTER_CHANGE_MS = 500;
const CHANGE_SPREAD_MS = 1_500;
/** How many requests in a row must fail before the page says so. */
const FAILURES_TOLD = 3;

interface CampaignSessionsProps {
  slug: string;
  /** As the static page knows them; at least one. */
  sales: readonly SaleListEntry[];
}

/** Shows what is live of a campaign: one countdown to the next session, and all sessions with their states. */
export function CampaignSessions({ slug, sales }: CampaignSessionsProps) {
  const locale = useLocale();
  const { data, isError, failureCount } = useQuery({
    queryKey: ['campaign', slug],
    queryFn: ({ signal }) =>
      request('GET /api/campaigns/{slug}', { params: { slug }, signal, cache: 'default' }),
    refetchInterval: ({ state }) => untilNextLook(state.data?.sales ?? sales),
    retry: (_, error) => isWorthRetrying(error),
  });
  const live = new Map<string, LiveSale>(data?.sales.map((sale) => [sale.saleId, sale]));
  const known = new Set(sales.map(({ saleId }) => saleId));
  const added = (data?.sales ?? []).filter(({ saleId }) => !known.has(saleId));
  const all = [...sales, ...added.map((sale) => toListEntry(sale, locale))];
  return <SessionsNow sales={all} live={live} isStale={isError || failureCount >= FAILURES_TOLD} />;
}

interface SessionsNowProps {
  sales: readonly SaleListEntry[];
  live: ReadonlyMap<string, LiveSale>;
  isStale: boolean;
}

/** Apart from the query, because it renders each second: with every render the query plans its next look anew. */
function SessionsNow({ sales, live, isStale }: SessionsNowProps) {
  const t = useTranslations('Campaign');
  // The clock of any sale of the campaign is the server's; the next one's is measured until it starts.
  const first = aimOf(sessionsAt(sales, live, null));
  useClockSync(first?.sale.saleId ?? '', first?.startsAt ?? 0);
  const { now } = useServerNow(null);
  const sessions = sessionsAt(sales, live, now);
  const aim = aimOf(sessions);

  return (
    <div className="grid items-start gap-8 lg:grid-cols-[1fr_1.3fr] lg:gap-12">
      <div className="grid gap-4 lg:sticky lg:top-8">
        {aim ? <NextSession session={aim} now={now} /> : null}
        {isStale ? (
          <Notice tone="warning" role="status">
            {t('stale')}
          </Notice>
        ) : null}
      </div>
      <CampaignSessionList sessions={sessions} />
    </div>
  );
}

/** The session that the countdown is about: the next one, else the last that runs, else the last of all. */
const aimOf = (sessions: readonly Session[]): Session | undefined =>
  sessions.find(({ state }) => state === 'opening' || state === 'next') ??
  sessions.findLast(({ state }) => state !== 'ended') ??
  sessions.at(-1);

function NextSession({ session, now }: { session: Session; now: number | null }) {
  const t = useTranslations('Campaign');
  const { sale, state, startsAt, endsAt } = session;
  const isAhead = state === 'next' || state === 'later';
  const phase = isAhead ? 'before' : state === 'opening' ? 'opening' : state === 'ended' ? 'over' : 'running';
  return (
    <Card className="grid gap-5 p-4 sm:p-6">
      <p className="grid gap-1" role="status">
        <span className="text-muted">
          {t(state === 'ended' ? 'allOver' : isAhead ? 'nextUp' : 'runningNow')}
        </span>
        <Link
          href={`/sales/${sale.slug}`}
          prefetch={false}
          className="inline-flex min-h-11 items-center font-semibold text-xl underline-offset-4 hover:underline"
        >
          <bdi>{sale.title}</bdi>
        </Link>
      </p>
      <SessionNews key={sale.saleId} session={session} now={now} />
      <Countdown phase={phase} now={now} startsAt={startsAt} endsAt={endsAt} />
    </Card>
  );
}

/** Says what the merchant changed of the session that comes next. */
function SessionNews({ session, now }: { session: Session; now: number | null }) {
  const t = useTranslations('Sale');
  const localDate = useLocalDate();
  const { sale, live, state, startsAt } = session;
  const isMoved = useStartMoved(startsAt, now);
  const isBefore = state === 'next' || state === 'later' || state === 'opening';
  return (
    <div aria-live="polite" className="grid gap-3 empty:absolute">
      {live?.paused && isBefore ? <Notice tone="warning">{t('pausedBefore')}</Notice> : null}
      {isMoved && isBefore ? (
        <Notice>{t('startMoved', { date: localDate(startsAt), admission: sale.admission })}</Notice>
      ) : null}
    </div>
  );
}

function untilNextLook(sales: readonly Pick<LiveSale, 'startsAt' | 'endsAt'>[]): number {
  const now = clockStore().now();
  const changes = sales.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]).filter((at) => at > now);
  const change = Math.min(...changes) - now + AFTER_CHANGE_MS + CHANGE_SPREAD_MS * Math.random();
  return Math.min(EVERY_MS * (1 + SPREAD * (2 * Math.random() - 1)), change);
}
