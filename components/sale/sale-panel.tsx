'use client';

import { useTranslations } from 'next-intl';
import { type Ref, Suspense, useEffect, useRef, useState } from 'react';
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
import { Loading } from './loading';
import { mayAskWhy } from './may-ask-why';
import { NextLine } from './next-line';
import { SaleStanding } from './sale-standing';
import { mostUnits, type PanelSale } from './shown-sale';
import { useBuy } from './use-buy';
import { useWhy } from './use-why';

/** Neither is needed before the button works; a page that may need a challenge fetches it right after. */
const ChallengePanel = later(
  async () => (await import('@/components/challenge/challenge-panel')).ChallengePanel,
);
const LinePanel = later(async () => (await import('@/components/line/line-panel')).LinePanel);
/** A page that sells one to each has no use for it. */
const QuantityPicker = later(async () => (await import('./quantity-picker')).QuantityPicker);
const SaleVariants = later(async () => (await import('./variant-picker')).SaleVariants);
const FETCH_AFTER_MS = 1_000;

/** Shows the live part of a sale page: how the sale stands, the button and its line. */
export function SalePanel({ sale }: { sale: PanelSale }) {
  const buying = useBuy(sale);
  const { view, now, startsAt, line, enter } = buying;
  const session = useSession();
  const why = useWhy(sale.saleId, session.status === 'signed_in' && mayAskWhy(view));
  const [news, setNews] = useState<Announcement | null>(null);
  const challenge = useRef<HTMLDivElement>(null);
  const nextLine = useRef<HTMLParagraphElement>(null);
  const focus = useKeptFocus(view.kind);
  const { ref: _, ...noted } = focus;
  const { hasTurns } = ADMISSIONS[sale.admission];
  useFetchLater(sale.mayChallenge, hasTurns);
  const enterWith = async (answer: ChallengeAnswer | null) => {
    const wasInside = challenge.current?.contains(document.activeElement);
    await enter(answer);
    setNews('puzzleSolved');
    // The puzzle disappears now: if the focus was in it, the focus moves to the line that says what happens next.
    if (wasInside) nextLine.current?.focus({ preventScroll: true });
  };
  return (
    <div className="grid gap-5 sm:gap-6">
      <SaleStanding sale={sale} {...buying} isPauseShown={view.kind === 'paused'} />
      {sale.variants.length > 0 ? (
        <Suspense fallback={<div className="min-h-11" />}>
          <SaleVariants sale={sale} buying={buying} />
        </Suspense>
      ) : null}
      {view.kind === 'line' && line && now !== null ? (
        // When the turn comes, the waiting room goes and the button takes its focus.
        <div {...noted}>
          <Suspense fallback={<Loading />}>
            <LinePanel
              view={line}
              now={now}
              pagePath={pagePathOf(sale)}
              onJoin={buying.join}
              onLeave={buying.leaveLine}
            />
          </Suspense>
        </div>
      ) : null}
      <BuyBox sale={sale} buying={buying} focus={focus} nextLine={nextLine} why={why} />
      {buying.hasChallenge ? (
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

/** Path of the sale's page without its language. */
const pagePathOf = ({ slug }: PanelSale) => `/sales/${slug}`;

interface BuyBoxProps {
  sale: PanelSale;
  buying: ReturnType<typeof useBuy>;
  focus: ReturnType<typeof useKeptFocus>;
  nextLine: Ref<HTMLParagraphElement>;
  why: ReturnType<typeof useWhy>;
}

/** The button, what it buys, and the line that says what happens next. */
function BuyBox({ sale, buying, focus, nextLine, why }: BuyBoxProps) {
  const words = useTranslations('Sale');
  const { view, now, startsAt } = buying;
  const pagePath = pagePathOf(sale);
  return (
    <div className="grid gap-3" hidden={view.kind === 'line'}>
      {buying.turnEndsAt !== null && now !== null ? (
        <Notice tone="success">{words('turnLeft', { time: formatShort(buying.turnEndsAt - now) })}</Notice>
      ) : null}
      {mostUnits(sale, null, buying.live.state?.stock.total) > 1 ? (
        <Suspense fallback={<div className="min-h-11" />}>
          <QuantityPicker
            sale={sale}
            most={buying.wish.most}
            kind={view.kind}
            quantity={buying.wish.quantity}
            onChange={buying.wish.setQuantity}
          />
        </Suspense>
      ) : null}
      <div
        {...focus}
        tabIndex={ADMISSIONS[sale.admission].hasTurns ? -1 : undefined}
        className="outline-none"
      >
        <BuyButton
          view={view}
          now={now}
          startsAt={startsAt}
          pagePath={pagePath}
          onBuy={buying.buy}
          onReserve={buying.reserve}
          onJoin={buying.joinWaitlist}
        />
      </div>
      <noscript>
        <Notice tone="warning">{words('noScript')}</Notice>
      </noscript>
      <NextLine
        ref={nextLine}
        view={view}
        quantity={buying.wish.quantity}
        hasOtherVariants={buying.wish.variant.choice.hasOthers}
        campaign={sale.campaign}
        startsAt={startsAt}
        pagePath={pagePath}
        onCancelReservation={buying.cancelReservation}
        onLeave={buying.leaveWaitlist}
        why={why.button}
      />
      {why.answer}
    </div>
  );
}

/** Fetches the code of what the page may need soon. */
function useFetchLater(mayChallenge: boolean, hasTurns: boolean): void {
  useEffect(() => {
    if (!mayChallenge) return;
    const timer = setTimeout(() => void ChallengePanel.load(), FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [mayChallenge]);
  useEffect(() => {
    if (hasTurns) void LinePanel.load();
  }, [hasTurns]);
}
