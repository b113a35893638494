'use client';

import { useTranslations } from 'next-intl';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { ReservationWindow } from '@/lib/contract/shapes/sale';

interface ReservedLineProps {
  window: ReservationWindow;
  /** Null while unknown. */
  reserved: number | null;
  /** Server time, epoch ms; null before the page has hydrated. */
  now: number | null;
}

/** Shows how many shoppers have reserved, and until when one can. Keeps its space while the number is unknown. */
export function ReservedLine({ window: { opensAt, closesAt }, reserved, now }: ReservedLineProps) {
  const t = useTranslations('Sale');
  const localDate = useLocalDate();
  const until = () => {
    if (now === null) return '';
    if (now < opensAt) return t('reserveFrom', { date: localDate(opensAt, 'short') });
    return now < closesAt ? t('reserveUntil', { date: localDate(closesAt, 'short') }) : t('reserveOver');
  };
  return (
    <p className="flex min-h-6 items-baseline justify-between gap-2 whitespace-nowrap text-base tabular-nums">
      <span className="font-semibold">{reserved === null ? '' : t('reserved', { count: reserved })}</span>
      <span className="text-muted text-sm">{until()}</span>
    </p>
  );
}
