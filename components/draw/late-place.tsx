'use client';

import { useTranslations } from 'next-intl';
import { Suspense } from 'react';
import { hasFreshEntry } from '@/components/attempt/attempt';
import { attemptKey } from '@/components/attempt/attempt-store';
import { useServerNow } from '@/components/clock/use-server-now';
import type { PanelSale } from '@/components/sale/shown-sale';
import { useAttempt } from '@/components/sale/use-attempt';
import { useEntry } from '@/components/sale/use-entry';
import { useOwnOrder } from '@/components/sale/use-own-order';
import { useWaitlist } from '@/components/sale/use-waitlist';
import { later } from '@/components/ui/later';
import { MainButton, MainLink } from '@/components/ui/main-action';
import { useProblemText } from '@/components/ui/use-problem-text';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { useDrawWish } from './use-draw-wish';
import { WishPicker } from './wish-picker';

const ChallengePanel = later(
  async () => (await import('@/components/challenge/challenge-panel')).ChallengePanel,
);

/** A draw has no queue of purchases that could be refused. */
const NOTHING_MORE = () => {};

interface LatePlaceProps {
  sale: PanelSale;
  userId: string;
  state: SaleState;
  /** The variant that was chosen while the page did not know yet that the draw is over; 0: none. */
  wished: number;
}

/** Offers a place for the next free unit to a shopper who comes after a draw: the rest of it, or what comes back. */
export function LatePlace({ sale, userId, state, wished }: LatePlaceProps) {
  const { saleId } = sale;
  const t = useTranslations('Draw.late');
  const problemText = useProblemText();
  const key = attemptKey(saleId, userId);
  const attempt = useAttempt(key);
  useOwnOrder(key, attempt, sale.limitPerUser, NOTHING_MORE);
  const { now } = useServerNow(sale.endsAt);
  const isReady = now !== null && hasFreshEntry(attempt, now);
  const entering = useEntry(saleId, key, state, attempt);
  const { place, isJoining, refusal: joinRefusal, join } = useWaitlist(saleId, key, state, attempt);
  const isWaiting = place?.state === 'waiting';
  const wish = useDrawWish(sale, state.stock.variants, isWaiting ? place.variant : wished);
  const refusal = entering.refusal ?? joinRefusal;
  if (attempt.orderNo !== null) return <MainLink href={`/orders/${attempt.orderNo}`}>{t('yours')}</MainLink>;
  return (
    <div className="grid gap-4">
      <WishPicker sale={sale} left={state.stock.variants} chosen={wish.chosen} place={place} />
      <MainButton
        isBusy={isJoining}
        onPress={isWaiting || isJoining || !isReady ? undefined : () => wish.settle(join)}
      >
        {isWaiting ? t('waiting', { number: (place.ahead ?? 0) + 1 }) : t('join')}
      </MainButton>
      <p className="min-h-12 text-base text-muted">
        {refusal ? problemText(refusal) : t(isWaiting ? 'waitingText' : 'text')}
      </p>
      {entering.isChallenged && !isReady && !isWaiting ? (
        <Suspense>
          <ChallengePanel saleId={saleId} enter={entering.enter} onNews={() => undefined} />
        </Suspense>
      ) : null}
    </div>
  );
}
