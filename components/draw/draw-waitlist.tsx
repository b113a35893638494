'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import { Button, buttonStyle } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { later } from '@/components/ui/later';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useProblemText } from '@/components/ui/use-problem-text';
import { Link } from '@/i18n/navigation';
import type { DrawPlace } from './use-draw-waitlist';

const ChallengePanel = later(
  async () => (await import('@/components/challenge/challenge-panel')).ChallengePanel,
);
const BOX = 'h-14 w-full whitespace-nowrap tabular-nums';

interface DrawWaitlistProps {
  saleId: string;
  list: DrawPlace;
  isSignedIn: boolean;
  /** Path of this page without its language, for the way back after signing in. */
  pagePath: string;
}

/**
 * The line for units of a draw that come back: shows the place of whoever stands there and the way out, and the way in to
 * whoever came too late, left, or let a unit go.
 */
export function DrawWaitlist({ saleId, list, isSignedIn, pagePath }: DrawWaitlistProps) {
  const t = useTranslations('Draw.waitlist');
  const problemText = useProblemText();
  const number = new Intl.NumberFormat(useLocale());
  const { place, refusal } = list;
  const [hasPressed, setHasPressed] = useState(false);
  const focus = useKeptFocus(place?.state ?? 'loading');
  const join = () => {
    setHasPressed(true);
    list.join();
  };
  const content = () => {
    if (!isSignedIn)
      return (
        <>
          <Link
            href={`/signin?callbackUrl=${encodeURIComponent(pagePath)}`}
            prefetch={false}
            className={cn(buttonStyle({ tone: 'primary', size: 'lg' }), BOX)}
          >
            {t('signIn')}
          </Link>
          <p className="text-muted">{t('offer')}</p>
        </>
      );
    if (!place) return <p className="text-muted">{t('loading')}</p>;
    if (place.state === 'waiting')
      return (
        <>
          <p className="font-semibold">{t('in', { place: number.format((place.ahead ?? 0) + 1) })}</p>
          <p className="text-muted">{t('inText')}</p>
          <ConfirmDialog
            trigger={<Button className="justify-self-start">{t('leave')}</Button>}
            title={t('leaveTitle')}
            text={t('leaveText')}
            confirmLabel={t('leave')}
            keepLabel={t('stay')}
            isDangerous
            onConfirm={list.leave}
          />
        </>
      );
    if (place.state === 'given' && place.orderNo !== null && hasPressed)
      return (
        <Link
          href={`/orders/${place.orderNo}`}
          prefetch={false}
          className={cn(buttonStyle({ tone: 'primary', size: 'lg' }), BOX)}
        >
          {t('given')}
        </Link>
      );
    if (!place.isOpen) return <p className="text-muted">{t('closed')}</p>;
    return (
      <>
        <Button tone="primary" size="lg" className={BOX} isBusy={list.isJoining} onClick={join}>
          {t(list.isJoining ? 'joining' : 'join')}
        </Button>
        <p className="text-muted">{t('offer')}</p>
      </>
    );
  };
  return (
    <div className="grid gap-3">
      <div {...focus} tabIndex={-1} className="grid gap-2 outline-none">
        {content()}
      </div>
      {refusal ? (
        <p role="alert" className="font-medium">
          {list.isNotYet ? t('notYet') : problemText(refusal)}
        </p>
      ) : null}
      {list.isChallenged ? (
        <Suspense fallback={<p className="text-muted">{t('loading')}</p>}>
          <ChallengePanel saleId={saleId} enter={list.joinWith} onNews={() => undefined} />
        </Suspense>
      ) : null}
      <span role="status" className="sr-only">
        {hasPressed && place?.state === 'waiting' ? t('joined') : ''}
      </span>
    </div>
  );
}
