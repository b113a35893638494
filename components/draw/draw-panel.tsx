'use client';

import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import { formatShort } from '@/components/clock/countdown-parts';
import { useClockSync } from '@/components/clock/use-clock-sync';
import { useServerNow } from '@/components/clock/use-server-now';
import { LeavePlace } from '@/components/line/leave-place';
import { useOrder } from '@/components/order/use-order';
import { SaleStanding, timesOf } from '@/components/sale/sale-standing';
import type { PanelSale } from '@/components/sale/shown-sale';
import { useSaleState } from '@/components/sale/use-sale-state';
import { useSession } from '@/components/session/use-session';
import { later } from '@/components/ui/later';
import { MainButton, MainLink, MainSignIn } from '@/components/ui/main-action';
import { Notice } from '@/components/ui/notice';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useProblemText } from '@/components/ui/use-problem-text';
import { isolated } from '@/lib/human-text';
import { DrawFacts } from './draw-facts';
import { BEFORE_CLOSE, type DrawView, drawView } from './draw-view';
import { LatePlace } from './late-place';
import { useDraw } from './use-draw';
import { useDrawWish } from './use-draw-wish';
import { WishPicker } from './wish-picker';

const ChallengePanel = later(
  async () => (await import('@/components/challenge/challenge-panel')).ChallengePanel,
);

/** Gathers everything live and personal of a draw's page: clock, state, session, the own place, the wish and the order. */
function useDrawPage(sale: PanelSale) {
  const { saleId } = sale;
  const session = useSession();
  const userId = session.status === 'signed_in' ? session.user.id : null;
  const live = useSaleState(saleId, sale.startsAt, false);
  const { state } = live;
  const { startsAt, endsAt } = timesOf(sale, state);
  useClockSync(saleId, startsAt);
  const draw = useDraw(saleId, userId, state?.line);
  const wish = useDrawWish(sale, state?.stock.variants, draw.own?.variant ?? 0);
  const { order } = useOrder(draw.own?.draw?.orderNo ?? null, null);
  const payBy = order?.status === 'pending_payment' ? order.payBy : null;
  const isScheduled = state === null || state.status === 'scheduled';
  const { now, source } = useServerNow(payBy ?? (isScheduled ? startsAt : endsAt));
  const view = drawView({
    now,
    startsAt,
    state,
    line: state?.line,
    session: session.status,
    own: draw.own,
    wish: wish.variant,
    isJoining: draw.isJoining,
    isChallenged: draw.isChallenged,
    refusal: draw.refusal,
    order,
  });
  const isDrawn = state?.line?.early != null;
  // Once it is drawn, the rest and what comes back are for people who come later.
  const late = view.kind === 'missed' && userId !== null && state && isDrawn ? { userId, state } : null;
  const hasNone = session.status === 'signed_out' || draw.own === null;
  return { live, draw, wish, now, source, view, isDrawn, late, hasNone };
}

/** Shows the live part of a draw's page: the way in, the countdown, the result, and how to check it. */
export function DrawPanel({ sale }: { sale: PanelSale }) {
  const t = useTranslations('Draw');
  const words = useTranslations('Sale');
  const { saleId, variants, totalStock } = sale;
  const { live, draw, wish, now, source, view, isDrawn, late, hasNone } = useDrawPage(sale);
  const focus = useKeptFocus(view.kind);
  return (
    <div className="grid gap-5 sm:gap-6">
      <SaleStanding
        sale={sale}
        live={live}
        now={now}
        source={source}
        hasAttempt={false}
        isPauseShown={view.kind === 'paused'}
      />
      <section aria-label={t('heading')} className="grid gap-4">
        {BEFORE_CLOSE.has(view.kind) ? (
          <WishPicker sale={sale} left={live.state?.stock.variants} chosen={wish.chosen} isKept={hasNone} />
        ) : null}
        <DrawFacts
          view={view}
          joined={live.state?.line?.joined ?? null}
          total={live.state?.stock.total ?? totalStock}
        />
        <div {...focus} tabIndex={-1} className="outline-none">
          {late ? (
            <LatePlace sale={sale} {...late} wished={wish.variant} />
          ) : (
            <DrawAction
              view={view}
              now={now}
              pagePath={`/sales/${sale.slug}`}
              onJoin={() => wish.settle(draw.join)}
            />
          )}
        </div>
        {late ? null : <DrawText view={view} name={variants[(draw.own?.variant ?? 0) - 1]?.name ?? null} />}
        {view.kind === 'in' || (view.kind === 'join' && view.isChange) ? (
          <LeavePlace t={t} onLeave={draw.leave} />
        ) : null}
        <noscript>
          <Notice tone="warning">{words('noScript')}</Notice>
        </noscript>
        <Fairness saleId={saleId} isDrawn={isDrawn} own={draw.own?.pseudonym ?? null} />
      </section>
      {view.kind === 'challenge' ? (
        <Suspense fallback={<p className="text-muted">{t('action.loading')}</p>}>
          <ChallengePanel
            saleId={saleId}
            enter={(answer) => draw.joinWith({ variant: wish.variant, answer })}
            onNews={() => undefined}
          />
        </Suspense>
      ) : null}
      <DrawAnnouncer view={view} />
    </div>
  );
}

/** Says what happens next. @param name of the variant that is wished; null: there is none */
function DrawText({ view, name }: { view: DrawView; name: string | null }) {
  const t = useTranslations('Draw');
  const problemText = useProblemText();
  const text = () => {
    switch (view.kind) {
      case 'join':
        if (view.refusal) return problemText(view.refusal);
        return t(view.isChange ? 'text.change' : 'text.join');
      case 'refused':
        return problemText(view.code);
      case 'passedOver':
        return t(`passedOver.${view.reason}`);
      case 'waiting':
        return t(name === null ? 'text.waiting' : 'text.waitingWish');
      default:
        return t(`text.${view.kind}`);
    }
  };
  return (
    <>
      {name === null ? null : <p className="font-medium">{t('wish', { name: isolated(name) })}</p>}
      <p className="min-h-12 text-base text-muted">{text()}</p>
    </>
  );
}

interface DrawActionProps {
  view: DrawView;
  now: number | null;
  /** Path of this page without its language, for the way back after signing in. */
  pagePath: string;
  onJoin: () => void;
}

function DrawAction({ view, now, pagePath, onJoin }: DrawActionProps) {
  const t = useTranslations('Draw.action');
  switch (view.kind) {
    case 'join':
      return <MainButton onPress={onJoin}>{t(view.isChange ? 'change' : 'join')}</MainButton>;
    case 'signIn':
      return <MainSignIn pagePath={pagePath}>{t('signIn')}</MainSignIn>;
    case 'won': {
      const leftMs = view.payBy === null || now === null ? null : Math.max(0, view.payBy - now);
      const words = leftMs === null ? t('wonSoon') : t('won', { time: formatShort(leftMs) });
      return <MainLink href={`/orders/${view.orderNo}`}>{words}</MainLink>;
    }
    case 'paid':
    case 'refunded':
    case 'lapsed':
      return <MainLink href={`/orders/${view.orderNo}`}>{t(view.kind)}</MainLink>;
    case 'soon':
      return (
        <MainButton>{t('soon', { time: formatShort(view.opensAt - (now ?? view.opensAt)) })}</MainButton>
      );
    default:
      return (
        <MainButton isBusy={view.kind === 'joining' || view.kind === 'drawing'}>{t(view.kind)}</MainButton>
      );
  }
}

/** Says in plain words why nobody can steer the draw, and where to check it. */
function Fairness({ saleId, isDrawn, own }: { saleId: string; isDrawn: boolean; own: string | null }) {
  const t = useTranslations('Draw');
  return (
    <details className="rounded-xl bg-sunken px-4 py-3">
      <summary className="cursor-pointer font-medium">{t('fair')}</summary>
      <div className="mt-2 grid gap-2 text-muted">
        <p>{t('fairText')}</p>
        {own ? (
          <p>{t.rich('ownName', { name: own, code: (part) => <code className="break-all">{part}</code> })}</p>
        ) : null}
        <p>
          <a className="text-text underline underline-offset-4" href={`/api/sales/${saleId}/line/proof`}>
            {t(isDrawn ? 'proof' : 'seedHash')}
          </a>
        </p>
      </div>
    </details>
  );
}

/** Tells screen readers when something changed, and nothing else. */
function DrawAnnouncer({ view }: { view: DrawView }) {
  const t = useTranslations('Draw.news');
  const [first] = useState(view.kind);
  const { kind } = view;
  const isNews =
    kind === 'in' || kind === 'drawing' || kind === 'won' || kind === 'waiting' || kind === 'passedOver';
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {isNews && (kind !== first || kind === 'won') ? t(kind) : ''}
    </div>
  );
}
