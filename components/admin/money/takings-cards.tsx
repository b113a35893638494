'use client';

import { useLocale, useTranslations } from 'next-intl';
import type { Takings } from '@/lib/contract/shapes/takings';
import { formatMoney } from '@/lib/money';
import { Figures } from '../kit/figures';
import { type TakingsAsked, useTakings } from './use-takings';

interface TakingsCardsProps {
  asked: TakingsAsked;
  /** Names the time that they are about, where the page does not. */
  heading?: 'money' | 'lately';
}

/** Shows what some sales took, in a card for each currency; nothing before their first order. */
export function TakingsCards({ asked, heading = 'money' }: TakingsCardsProps) {
  const { data } = useTakings(asked);
  return data?.takings.map((sums) => <TakingsCard key={sums.currency} sums={sums} heading={heading} />);
}

function TakingsCard({ sums, heading }: { sums: Takings; heading: 'money' | 'lately' }) {
  const t = useTranslations('AdminMoney');
  const locale = useLocale();
  const { currency, orders, takenMinor, refundedMinor, heldMinor } = sums;
  const shown = (amountMinor: number) => formatMoney(amountMinor, currency, locale);
  return (
    <Figures
      heading={t(heading, { currency })}
      figures={[
        { label: t('taken'), help: t('takenHelp'), value: shown(takenMinor) },
        { label: t('refunded'), help: t('refundedHelp'), value: shown(refundedMinor) },
        { label: t('kept'), value: shown(takenMinor - refundedMinor) },
        { label: t('held'), help: t('heldHelp'), value: shown(heldMinor) },
        { label: t('orders'), value: orders },
        { label: t('average'), value: orders === 0 ? '–' : shown(Math.round(takenMinor / orders)) },
      ]}
    />
  );
}
