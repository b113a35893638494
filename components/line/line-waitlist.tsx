'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Waitlist } from '@/components/sale/use-waitlist';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useProblemText } from '@/components/ui/use-problem-text';

/** The waitlist of a sale with a waiting room, for whoever stands in its line. */
export interface LineWaitlistProps {
  waitlist: Waitlist;
  /** All units are taken: then the list can be joined. */
  isSoldOut: boolean;
}

/**
 * Offers whoever waits with little hope a place on the waitlist, with one press, and shows that place. The place in the line
 * stays beside it.
 */
export function LineWaitlist({ waitlist, isSoldOut }: LineWaitlistProps) {
  const t = useTranslations('Line.waitlist');
  const problemText = useProblemText();
  const number = new Intl.NumberFormat(useLocale());
  const { place, isJoining, refusal } = waitlist;
  const isWaiting = place?.state === 'waiting';
  const [hasPressed, setHasPressed] = useState(false);
  const focus = useKeptFocus(isWaiting ? 'in' : isSoldOut ? 'offer' : 'soon');
  const content = () => {
    if (isWaiting)
      return (
        <>
          <p className="font-semibold">{t('in', { place: number.format((place.ahead ?? 0) + 1) })}</p>
          <p>{t('inText')}</p>
          <Button className="justify-self-start" onClick={waitlist.leave}>
            {t('leave')}
          </Button>
        </>
      );
    if (place && !place.isOpen) return <p>{t('closed')}</p>;
    if (!isSoldOut) return <p>{t('soon')}</p>;
    return (
      <>
        <p>{t('offer')}</p>
        <Button
          className="justify-self-start"
          isBusy={isJoining}
          onClick={() => {
            setHasPressed(true);
            waitlist.join();
          }}
        >
          {t(isJoining ? 'joining' : 'join')}
        </Button>
      </>
    );
  };
  return (
    <Notice>
      <div {...focus} tabIndex={-1} className="grid gap-2 outline-none">
        {content()}
        {refusal ? <p className="font-medium">{problemText(refusal)}</p> : null}
        <span role="status" className="sr-only">
          {hasPressed && isWaiting ? t('joined') : ''}
        </span>
      </div>
    </Notice>
  );
}
