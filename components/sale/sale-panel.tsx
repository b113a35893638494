'use client';

import { useTranslations } from 'next-intl';
import { Suspense, useEffect, useId, useRef, useState } from 'react';
import { formatShort } from '@/components/clock/countdown-parts';
import { useSession } from '@/components/session/use-session';
import { later } from '@/components/ui/later';
import { Notice } from '@/components/ui/notice';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import type { Announcement } from './announcements';
import { Announcer } from './announcer';
import { BuyButton } from './buy-button';
import { ClaimedBar } from './claimed-bar';
import { ConnectionNotice } from './connection-notice';
import { Countdown } from './countdown';
import { mayAskWhy } from './may-ask-why';
import { NextLine } from './next-line';
import { QuantityPicker } from './quantity-picker';
import { ReservedLine } from './reserved-line';
import { SaleNews } from './sale-news';
import { salePhase } from './sale-phase';
import type { PanelSale } from './shown-sale';
import { useBuy } from './use-buy';

/** Neither is needed before the button works; a page that may need a challenge fetches it right after. */
const ChallengePanel = later(
  async () => (await import('@/components/challenge/challenge-panel')).ChallengePanel,
);
const LinePanel = later(async () => (await import('@/components/line/line-panel')).LinePanel);
const WhyExplanation = later(async () => (await import('@/components/why/explanation')).WhyExplanation);
const FETCH_AFTER_MS = 1_000;

/** Shows the live part of a sale page: claimed bar, countdown, the button and its line. */
export function SalePanel({ sale }: { sale: PanelSale }) {
  const {
    view,
    live,
    now,
    source,
    startsAt,
    endsAt,
    reservation,
    reserve,
    cancelReservation,
    joinWaitlist,
    leaveWaitlist,
    buy,
    enter,
    line,
    join,
    leaveLine,
    turnEndsAt,
    hasAttempt,
    hasChallenge,
    quantity,
    setQuantity,
  } = useBuy(sale);
  const t = useTranslations('Why');
  const words = useTranslations('Sale');
  const session = useSession();
  const [isAsking, setIsAsking] = useState(false);
  const whyId = useId();
  const [news, setNews] = useState<Announcement | null>(null);
  const challenge = useRef<HTMLDivElement>(null);
  const nextLine = useRef<HTMLParagraphElement>(null);
  const { state, failures, nextAt } = live;
  const focus = useKeptFocus(view.kind);
  const { ref: _, ...noted } = focus;
  const enterWith = async (answer: ChallengeAnswer | null) => {
    const wasInside = challenge.current?.contains(document.activeElement);
    await enter(answer);
    setNews('puzzleSolved');
    // The puzzle disappears now: if the focus was in it, the focus moves to the line that says what happens next.
    if (wasInside) nextLine.current?.focus({ preventScroll: true });
  };
  const mayAsk = session.status === 'signed_in' && mayAskWhy(view);
  const pagePath = `/sales/${sale.slug}`;
  const { hasTurns } = ADMISSIONS[sale.admission];
  useEffect(() => {
    if (!sale.mayChallenge) return;
    const timer = setTimeout(() => void ChallengePanel.load(), FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [sale.mayChallenge]);
  useEffect(() => {
    if (hasTurns) void LinePanel.load();
  }, [hasTurns]);
  useEffect(() => {
    if (mayAsk) void WhyExplanation.load();
  }, [mayAsk]);
  return (
    <div className="grid gap-5 sm:gap-6">
      <div className="grid gap-1">
        <ClaimedBar
          stock={state?.stock ?? null}
          totalStock={sale.totalStock}
          isLive={state?.status === 'live'}
        />
        {reservation ? (
          <ReservedLine window={reservation} reserved={state?.reservation?.reserved ?? null} now={now} />
        ) : null}
      </div>
      <SaleNews
        admission={sale.admission}
        state={state}
        now={now}
        startsAt={startsAt}
        isPauseShown={view.kind === 'paused'}
      />
      <Countdown
        phase={salePhase({ state, now, startsAt, endsAt })}
        now={now}
        startsAt={startsAt}
        endsAt={endsAt}
      />
      <ConnectionNotice
        failures={failures}
        nextAt={nextAt}
        now={now}
        source={source}
        hasAttempt={hasAttempt}
      />
      {view.kind === 'line' && line && now !== null ? (
        // When the turn comes, the waiting room goes and the button takes its focus.
        <div {...noted}>
          <Suspense fallback={<Loading />}>
            <LinePanel view={line} now={now} pagePath={pagePath} onJoin={join} onLeave={leaveLine} />
          </Suspense>
        </div>
      ) : null}
      <div className="grid gap-3" hidden={view.kind === 'line'}>
        {turnEndsAt !== null && now !== null ? (
          <Notice tone="success">{words('turnLeft', { time: formatShort(turnEndsAt - now) })}</Notice>
        ) : null}
        <QuantityPicker sale={sale} kind={view.kind} quantity={quantity} onChange={setQuantity} />
        <div {...focus} tabIndex={hasTurns ? -1 : undefined} className="outline-none">
          <BuyButton
            view={view}
            now={now}
            startsAt={startsAt}
            pagePath={pagePath}
            onBuy={buy}
            onReserve={reserve}
            onJoin={joinWaitlist}
          />
        </div>
        <noscript>
          <Notice tone="warning">{words('noScript')}</Notice>
        </noscript>
        <NextLine
          ref={nextLine}
          view={view}
          quantity={quantity}
          campaign={sale.campaign}
          startsAt={startsAt}
          pagePath={pagePath}
          onCancelReservation={cancelReservation}
          onLeave={leaveWaitlist}
          why={
            mayAsk ? (
              <button
                type="button"
                aria-expanded={isAsking}
                aria-controls={isAsking ? whyId : undefined}
                onClick={() => setIsAsking((was) => !was)}
                className="text-text underline underline-offset-4"
              >
                {t('ask')}
              </button>
            ) : null
          }
        />
        {mayAsk && isAsking ? (
          <Suspense fallback={<Loading id={whyId} />}>
            <WhyExplanation saleId={sale.saleId} id={whyId} />
          </Suspense>
        ) : null}
      </div>
      {hasChallenge ? (
        <div ref={challenge}>
          <Suspense fallback={<Loading />}>
            <ChallengePanel saleId={sale.saleId} enter={enterWith} onNews={setNews} />
          </Suspense>
        </div>
      ) : null}
      <Announcer leftMs={now === null ? null : startsAt - now} kind={view.kind} news={news} />
    </div>
  );
}

function Loading({ id }: { id?: string }) {
  const t = useTranslations('Common');
  return (
    <p id={id} className="text-muted">
      {t('loading')}
    </p>
  );
}
