'use client';

import { useLocale, useTranslations } from 'next-intl';
import { formatShort } from '@/components/clock/countdown-parts';
import { formatDuration } from '@/components/ui/format-duration';
import { MainButton, MainLink, MainSignIn } from '@/components/ui/main-action';
import type { BuyView } from './buy-view';

interface BuyButtonProps {
  view: BuyView;
  /** Server time, epoch ms; null before the page has hydrated. */
  now: number | null;
  startsAt: number;
  /** Path of this page without its language, for the way back after signing in. */
  pagePath: string;
  onBuy: () => void;
  onReserve: () => void;
  onJoin: () => void;
}

const BUY_LABEL = {
  none: 'buy',
  cancelled: 'buyAgain',
  failed: 'buyAgain',
  refunded: 'buyAgain',
  paid: 'buyAnother',
} as const;

const secondsUntil = (at: number, now: number | null) => Math.max(1, Math.ceil((at - (now ?? at)) / 1000));

const DAY_MS = 86_400_000;

/** Formats the wait in days while seconds don't matter yet, then exactly. */
function formatWait(leftMs: number, locale: string): string {
  const days = Math.floor(leftMs / DAY_MS);
  return days < 2 ? formatShort(leftMs) : formatDuration(days * 86_400, locale);
}

/** Shows the sale page's only button: a link where there is a page to go to, a button where there is something to do. */
export function BuyButton({ view, now, startsAt, pagePath, onBuy, onReserve, onJoin }: BuyButtonProps) {
  const t = useTranslations('Buy');
  const locale = useLocale();

  const off = (text: string) => <MainButton>{text}</MainButton>;
  const press = (text: string, onPress: () => void) => <MainButton onPress={onPress}>{text}</MainButton>;
  const toOrder = (orderNo: string, text: string, tone: 'primary' | 'success') => (
    <MainLink href={`/orders/${orderNo}`} tone={tone}>
      {text}
    </MainLink>
  );

  switch (view.kind) {
    case 'line':
      return null;
    case 'scheduled':
      return off(t('scheduled', { time: formatWait(startsAt - (now ?? startsAt), locale) }));
    case 'reserveSoon':
      return off(t('reserveSoon', { time: formatWait(view.opensAt - (now ?? view.opensAt), locale) }));
    case 'reserve':
      return press(t('reserve'), onReserve);
    case 'reserved':
      return (
        <MainButton tone="success">
          <span aria-hidden="true">✓</span> {t('reserved')}
        </MainButton>
      );
    case 'waitlistJoin':
      return press(t('waitlistJoin'), onJoin);
    case 'inLine':
      return off(t('inLine', { number: view.ahead + 1 }));
    case 'waitlistSignIn':
    case 'signIn':
    case 'reserveSignIn':
      return <MainSignIn pagePath={pagePath}>{t(view.kind)}</MainSignIn>;
    case 'buy':
      return press(t(BUY_LABEL[view.previous ?? 'none']), onBuy);
    case 'retrying':
    case 'entryRetrying':
      return off(t('retrying', { seconds: secondsUntil(view.retryAt, now) }));
    case 'locked':
      return off(t('locked', { seconds: secondsUntil(view.until, now) }));
    case 'pay':
      return toOrder(
        view.orderNo,
        t('pay', { time: formatShort(view.payBy - (now ?? view.payBy)) }),
        'primary',
      );
    case 'lapsing':
      return toOrder(view.orderNo, t('lapsing'), 'success');
    case 'owned':
      return toOrder(view.orderNo, t('owned'), 'success');
    default:
      return off(t(view.kind));
  }
}
