'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode, Ref } from 'react';
import { ASKED_TOO_MANY, CAMPAIGN_LIMIT, FEWER_LEFT } from '@/components/api/api-problem';
import { LINK_IN_TEXT, linkTo } from '@/components/ui/link-to';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useProblemText } from '@/components/ui/use-problem-text';
import type { BuyView } from './buy-view';
import type { PanelSale } from './shown-sale';

const buttonFor = (onClick: () => void) => (words: ReactNode) => (
  <button type="button" onClick={onClick} className={LINK_IN_TEXT}>
    {words}
  </button>
);

interface NextTextProps {
  view: BuyView;
  /** Units that the next purchase asks for. */
  quantity: number;
  /** Units of another variant than the chosen one are left. */
  hasOtherVariants: boolean;
  /** The campaign to which the sale belongs; null: none. */
  campaign: PanelSale['campaign'];
  startsAt: number;
  /** Path of this page without its language, for the way back after signing in. */
  pagePath: string;
  onCancelReservation: () => void;
  onLeave: () => void;
}

interface NextLineProps extends NextTextProps {
  /** The button that asks for the reasons of a refusal, if there is one. */
  why?: ReactNode;
  /** Takes the keyboard's focus when the focused control disappears. */
  ref?: Ref<HTMLParagraphElement>;
}

/** Returns the words for a refusal, and for the state in which the shopper may buy. */
function useBuyWords({ quantity, hasOtherVariants }: Pick<NextTextProps, 'quantity' | 'hasOtherVariants'>) {
  const t = useTranslations('Next');
  const problemText = useProblemText();

  const refusalText = (code: string) => {
    switch (code) {
      case FEWER_LEFT:
        return t('fewerLeft', { count: quantity });
      case ASKED_TOO_MANY:
        return t('askedTooMany');
      case CAMPAIGN_LIMIT:
        return t('campaignMoved');
      case 'SOLD_OUT':
        return hasOtherVariants ? t('variantGone') : problemText(code);
      default:
        return problemText(code);
    }
  };

  const buyText = ({ refusal, previous, previousOrderNo }: Extract<BuyView, { kind: 'buy' }>) => {
    if (refusal) return refusalText(refusal);
    if (previous === 'cancelled') return t('buyCancelled');
    if (previous === 'failed') return t('buyFailed');
    if (previous === 'refunded') return t('buyRefunded');
    return previous === 'paid'
      ? t.rich('buyAnother', { link: linkTo(`/orders/${previousOrderNo}`) })
      : t('buy');
  };

  return { refusalText, buyText };
}

/** Says what happens next. */
function NextText(props: NextTextProps) {
  const { view, campaign, startsAt, pagePath, onCancelReservation, onLeave } = props;
  const t = useTranslations('Next');
  const problemText = useProblemText();
  const localDate = useLocalDate();
  const { refusalText, buyText } = useBuyWords(props);

  switch (view.kind) {
    case 'line':
      return null;
    case 'scheduled':
      if (view.isReady) return t('scheduledReady');
      if (view.isChallenged) return t('scheduledChallenge');
      if (view.isSignedIn) return t('scheduledIn');
      return t.rich(view.isReservedOnly ? 'scheduledOutReserved' : 'scheduledOut', {
        link: linkTo(`/signin?callbackUrl=${encodeURIComponent(pagePath)}`),
      });
    case 'reserveSoon':
      return t('reserveSoon', { date: localDate(view.opensAt, 'short') });
    case 'notReserved':
      return t('notReserved', { date: localDate(view.closesAt, 'short') });
    case 'reserveSignIn':
      return t('reserve', { date: localDate(view.closesAt, 'short') });
    case 'reserve':
      return view.refusal
        ? problemText(view.refusal)
        : t('reserve', { date: localDate(view.closesAt, 'short') });
    case 'reserved': {
      const date = localDate(startsAt, 'short');
      return view.mayCancel
        ? t.rich('reserved', { date, cancel: buttonFor(onCancelReservation) })
        : t('reservedFixed', { date });
    }
    case 'notEligible':
      if (view.code === CAMPAIGN_LIMIT && campaign)
        return t.rich('campaignLimit', {
          count: campaign.limitPerUser ?? 0,
          link: linkTo(`/campaigns/${campaign.slug}`),
        });
      return view.code === 'EMAIL_UNVERIFIED'
        ? t.rich('verifyEmail', { link: linkTo('/verify-email') })
        : problemText(view.code);
    case 'locked':
      return view.refusal ? refusalText(view.refusal) : t('preparing');
    case 'buy':
      return buyText(view);
    case 'owned':
      return t('owned');
    case 'waitlistJoin':
      if (view.refusal) return problemText(view.refusal);
      return t(view.previous === 'cancelled' ? 'waitlistAgain' : 'waitlistJoin');
    case 'inLine':
      return t.rich('inLine', { leave: buttonFor(onLeave) });
    case 'soldOut':
      return view.soldOutAt ? t('soldOutAt', { time: localDate(view.soldOutAt, 'time') }) : t('soldOut');
    default:
      return t(view.kind);
  }
}

/** Shows the line under the button, which always says what happens next. */
export function NextLine({ why, ref, ...next }: NextLineProps) {
  return (
    <p ref={ref} tabIndex={-1} className="min-h-12 text-base text-muted outline-none">
      <NextText {...next} /> {why}
    </p>
  );
}
