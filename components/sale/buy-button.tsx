'use client';

import { useLocale, useTranslations } from 'next-intl';
import { formatShort } from '@/components/clock/countdown-parts';
import { Button, buttonStyle } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { formatDuration } from '@/components/ui/format-duration';
import { Link } from '@/i18n/navigation';
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

/** One box for every state, so that nothing around it moves when the state changes. */
const BOX = 'h-14 w-full whitespace-nowrap tabular-nums';

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

  const link = (href: string, text: string, tone: 'primary' | 'success') => (
    <Link href={href} prefetch={false} className={cn(buttonStyle({ tone, size: 'lg' }), BOX)}>
      {text}
    </Link>
  );
  const off = (text: string) => (
    <Button tone="primary" size="lg" disabled className={BOX}>
      {text}
    </Button>
  );

  const press = (text: string, onClick: () => void) => (
    <Button tone="primary" size="lg" className={BOX} onClick={onClick}>
      {text}
    </Button>
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
        <Button tone="success" size="lg" disabled className={BOX}>
          <span aria-hidden="true">✓</span> {t('reserved')}
        </Button>
      );
    case 'waitlistJoin':
      return press(t('waitlistJoin'), onJoin);
    case 'inLine':
      return off(t('inLine', { number: view.ahead + 1 }));
    case 'waitlistSignIn':
    case 'signIn':
    case 'reserveSignIn':
      return link(`/signin?callbackUrl=${encodeURIComponent(pagePath)}`, t(view.kind), 'primary');
    case 'buy':
      return press(t(BUY_LABEL[view.previous ?? 'none']), onBuy);
    case 'retrying':
    case 'entryRetrying':
      return off(t('retrying', { seconds: secondsUntil(view.retryAt, now) }));
    case 'locked':
      return off(t('locked', { seconds: secondsUntil(view.until, now) }));
    case 'pay':
      return link(
        `/orders/${view.orderNo}`,
        t('pay', { time: formatShort(view.payBy - (now ?? view.payBy)) }),
        'primary',
      );
    case 'lapsing':
      return link(`/orders/${view.orderNo}`, t('lapsing'), 'success');
    case 'owned':
      return link(`/orders/${view.orderNo}`, t('owned'), 'success');
    default:
      return off(t(view.kind));
  }
}
