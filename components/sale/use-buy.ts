'use client';

import { RENEW_BEFORE_MS } from '@/components/attempt/attempt';
import { attemptKey } from '@/components/attempt/attempt-store';
import { clockStore } from '@/components/clock/clock-store';
import { useClockSync } from '@/components/clock/use-clock-sync';
import { useServerNow } from '@/components/clock/use-server-now';
import { lineView } from '@/components/line/line-view';
import { useLine } from '@/components/line/use-line';
import { useSession } from '@/components/session/use-session';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import { buyView, showsChallenge } from './buy-view';
import { timesOf } from './sale-standing';
import type { PanelSale } from './shown-sale';
import { useAttempt } from './use-attempt';
import { useEntry } from './use-entry';
import { useOpenConnection } from './use-open-connection';
import { useOwnOrder } from './use-own-order';
import { usePurchase } from './use-purchase';
import { useReservation } from './use-reservation';
import { useSaleState } from './use-sale-state';
import { useWaitlist } from './use-waitlist';
import { useWish } from './use-wish';

/** Follows the own place in the sale's waiting room, if it has one. */
function useOwnTurn(sale: PanelSale, state: SaleState | null, startsAt: number) {
  const session = useSession();
  const hasLine = ADMISSIONS[sale.admission].hasTurns;
  const line = useLine(
    sale.saleId,
    hasLine && session.status === 'signed_in' ? session.user.id : null,
    state?.line,
  );
  const lineSeen = (now: number) =>
    lineView({
      now,
      startsAt,
      entryOpensAt: state?.entryOpensAt ?? null,
      line: state?.line,
      available: state?.stock.available ?? null,
      session: session.status,
      ...line,
    });
  const isTurn = hasLine && lineSeen(clockStore().now()).kind === 'turn';
  return { hasLine, line, lineSeen, isTurn };
}

/**
 * Gathers everything live and personal of a sale page: clock, state, session, reservation, entry, purchase and the
 * order it became.
 */
export function useBuy(sale: PanelSale) {
  const { saleId, purchaseOrigin } = sale;
  const session = useSession();
  const key = session.status === 'signed_in' ? attemptKey(saleId, session.user.id) : null;
  const attempt = useAttempt(key);
  const live = useSaleState(saleId, sale.startsAt, attempt.orderNo !== null);
  const { state, failures, refresh } = live;
  const { startsAt, endsAt, reservation } = timesOf(sale, state);
  useClockSync(saleId, startsAt);

  const userId = session.status === 'signed_in' && reservation ? session.user.id : null;
  const reserving = useReservation(saleId, userId, refresh);
  const { hasLine, line, lineSeen, isTurn } = useOwnTurn(sale, state, startsAt);
  const mayEnter = hasLine ? isTurn : !reservation || reserving.own === 'standing';
  const entering = useEntry(saleId, mayEnter ? key : null, state, attempt);
  const purchase = usePurchase(saleId, key, state, attempt, refresh, purchaseOrigin);
  const waitlist = useWaitlist(saleId, sale.waitlist ? key : null, state, attempt);
  const { retryAt } = purchase;
  useOpenConnection(purchaseOrigin, key === null ? null : startsAt);
  const order = useOwnOrder(key, attempt, sale.limitPerUser, refresh);

  const payBy = order?.status === 'pending_payment' ? order.payBy : null;
  const opensAt = state === null || state.status === 'scheduled' ? startsAt : null;
  const { now, source } = useServerNow(payBy ?? retryAt ?? opensAt ?? entering.retryAt ?? endsAt);
  const wish = useWish(sale, key, attempt, state, now !== null);
  const lineNow = hasLine && now !== null ? lineSeen(now) : null;
  const view = buyView({
    now,
    startsAt,
    state,
    failures,
    session: session.status,
    reservation,
    own: reserving.own,
    isReserving: reserving.isReserving,
    reserveRefusal: reserving.refusal,
    sale,
    waitlist: sale.waitlist ? waitlist : null,
    choice: wish.variant.choice,
    attempt,
    entryRefusal: entering.refusal,
    entryRetryAt: entering.retryAt,
    isChallenged: entering.isChallenged,
    retryAt,
    line: lineNow,
    order,
  });

  return {
    view,
    live,
    now,
    source,
    startsAt,
    /** Asks for a variant where one has to be chosen first. */
    buy: () => wish.settle(purchase.buy),
    reserve: reserving.reserve,
    cancelReservation: reserving.cancel,
    joinWaitlist: () => wish.settle(({ variant }) => waitlist.join(variant)),
    leaveWaitlist: waitlist.leave,
    place: waitlist.place,
    line: lineNow,
    join: line.join,
    leaveLine: line.leave,
    turnEndsAt:
      hasLine && view.kind === 'buy' && attempt.entry ? attempt.entry.expiresAt - RENEW_BEFORE_MS : null,
    enter: hasLine ? line.joinWith : entering.enter,
    hasAttempt: key !== null && attempt.isPending,
    wish,
    hasChallenge:
      (hasLine ? line.isChallenged : entering.isChallenged) && showsChallenge({ view, attempt, now }),
  };
}
