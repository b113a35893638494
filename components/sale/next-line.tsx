'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useProblemText } from '@/components/ui/use-problem-text';
import { Link } from '@/i18n/navigation';
import type { BuyView } from './buy-view';

const linkTo = (href: string) => (words: ReactNode) => (
  <Link href={href} prefetch={false} className="font-semibold text-text underline underline-offset-4">
    {words}
  </Link>
);

/** The line under the button: always says what happens next. */
export function NextLine({ view, pagePath }: { view: BuyView; pagePath: string }) {
  const t = useTranslations('Next');
  const problemText = useProblemText();
  const localDate = useLocalDate();

  const buyText = ({ refusal, previous, previousOrderNo }: Extract<BuyView, { kind: 'buy' }>) => {
    if (refusal) return problemText(refusal);
    if (previous === 'cancelled') return t('buyCancelled');
    if (previous === 'failed') return t('buyFailed');
    return previous === 'paid'
      ? t.rich('buyAnother', { link: linkTo(`/orders/${previousOrderNo}`) })
      : t('buy');
  };

  const text = () => {
    switch (view.kind) {
      case 'scheduled':
        if (view.isReady) return t('scheduledReady');
        if (view.isSignedIn) return t('scheduledIn');
        return t.rich('scheduledOut', {
          link: linkTo(`/signin?callbackUrl=${encodeURIComponent(pagePath)}`),
        });
      case 'notEligible':
        return view.code === 'EMAIL_UNVERIFIED'
          ? t.rich('verifyEmail', { link: linkTo('/verify-email') })
          : problemText(view.code);
      case 'locked':
        return view.refusal ? problemText(view.refusal) : t('preparing');
      case 'buy':
        return buyText(view);
      case 'owned':
        return t(view.isPaid ? 'ownedPaid' : 'owned');
      case 'soldOut':
        return view.soldOutAt ? t('soldOutAt', { time: localDate(view.soldOutAt, 'time') }) : t('soldOut');
      default:
        return t(view.kind);
    }
  };

  return <p className="min-h-12 text-base text-muted">{text()}</p>;
}
