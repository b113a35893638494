'use client';

import { useTranslations } from 'next-intl';
import { ClaimedBar } from '@/components/sale/claimed-bar';
import { Price } from '@/components/sale/price';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { Session, SessionState } from './session-states';

const LOOK: Record<SessionState, { tone: BadgeTone; dot: string }> = {
  ended: { tone: 'neutral', dot: 'bg-control' },
  soldOut: { tone: 'neutral', dot: 'bg-control' },
  paused: { tone: 'warning', dot: 'bg-warning' },
  live: { tone: 'accent', dot: 'bg-accent' },
  opening: { tone: 'accent', dot: 'bg-accent' },
  next: { tone: 'success', dot: 'bg-success' },
  later: { tone: 'neutral', dot: 'bg-panel' },
};

/** Lists the sessions of a campaign as a timeline: those that are over, those that run, the next, and those after it. */
export function CampaignSessionList({ sessions }: { sessions: readonly Session[] }) {
  const t = useTranslations('Campaign');
  return (
    <section className="grid gap-4" aria-labelledby="sessions">
      <h2 id="sessions" className="font-semibold text-xl">
        {t('sessions')}
      </h2>
      <ol className="grid">
        {sessions.map((session) => (
          <SessionRow key={session.sale.saleId} session={session} />
        ))}
      </ol>
    </section>
  );
}

function SessionRow({ session }: { session: Session }) {
  const t = useTranslations('Campaign');
  const localDate = useLocalDate();
  const { sale, live, state, startsAt } = session;
  // A session to come keeps its place in the timeline while it is paused.
  const shown = live?.paused && ['next', 'later', 'opening'].includes(state) ? 'paused' : state;
  const isOver = state === 'ended' || state === 'soldOut';
  return (
    <li className="group grid grid-cols-[auto_1fr] gap-x-4">
      {/* The line between the dots joins the sessions; it stops at the last one. */}
      <div aria-hidden="true" className="grid w-4 grid-rows-[1.5rem_auto_1fr] justify-items-center">
        <span className="w-0.5 bg-line group-first:invisible" />
        <span className={cn('size-3.5 rounded-full border-2 border-line', LOOK[shown].dot)} />
        <span className="w-0.5 bg-line group-last:invisible" />
      </div>
      <Card
        className={cn(
          'relative mb-4 grid gap-3 p-4 has-focus-visible:outline-3 has-focus-visible:outline-text has-focus-visible:outline-offset-2 sm:p-5',
          state === 'next' && 'border-success',
          (state === 'live' || state === 'opening') && 'border-accent',
        )}
      >
        <div className="flex flex-wrap items-center justify-between gap-2">
          <time dateTime={new Date(startsAt).toISOString()} className="font-semibold text-lg tabular-nums">
            {localDate(startsAt, 'short')}
          </time>
          <Badge tone={LOOK[shown].tone}>{t(`state.${shown}`)}</Badge>
        </div>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h3 className={cn('font-medium', isOver && 'text-muted')}>
            <Link
              href={`/sales/${sale.slug}`}
              prefetch={false}
              className="outline-none after:absolute after:inset-0 hover:underline hover:underline-offset-4"
            >
              <bdi>{sale.title}</bdi>
            </Link>
          </h3>
          <Price
            priceMinor={sale.priceMinor}
            listPriceMinor={sale.listPriceMinor}
            currency={sale.currency}
            size="card"
          />
        </div>
        {live && !['next', 'later'].includes(state) ? (
          <ClaimedBar stock={live.stock} totalStock={live.stock.total} isLive={state === 'live'} />
        ) : null}
      </Card>
    </li>
  );
}
