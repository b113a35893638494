'use client';

import { useTranslations } from 'next-intl';
import { formatShort } from '@/components/clock/countdown-parts';
import { Notice } from '@/components/ui/notice';
import { useTabTitle, useTurnSignal } from './turn-signal';

/**
 * Says that the turn has come and how long it lasts: here, in the tab's title and icon for whoever looks at another tab, and
 * with the sound that was asked for.
 * @param leftMs until the turn is over
 */
export function TurnNotice({ leftMs }: { leftMs: number }) {
  const words = useTranslations('Sale');
  const t = useTranslations('Line');
  useTurnSignal(true);
  useTabTitle(t('titleTurn'), true);
  return <Notice tone="success">{words('turnLeft', { time: formatShort(leftMs) })}</Notice>;
}
