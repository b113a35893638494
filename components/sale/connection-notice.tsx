'use client';

import { useTranslations } from 'next-intl';
import type { ClockSource } from '@/components/clock/clock-store';
import { Notice } from '@/components/ui/notice';

interface ConnectionNoticeProps {
  failures: number;
  nextAt: number | null;
  now: number | null;
  source: ClockSource | null;
  hasAttempt: boolean;
}

const CLOCK_TEXT = { synced: 'clockSynced', remembered: 'clockRemembered', device: 'clockDevice' } as const;

/** Says that the shop can't be reached, when the page asks again, and which clock the countdown uses meanwhile. */
export function ConnectionNotice({ failures, nextAt, now, source, hasAttempt }: ConnectionNoticeProps) {
  const t = useTranslations('Notice');
  if (failures === 0 || now === null) return null;
  const seconds = nextAt === null ? 0 : Math.ceil((nextAt - now) / 1000);
  const clock = t(CLOCK_TEXT[source ?? 'device']);
  return (
    // Floats over the picture: nothing below it may move, least of all the button.
    <Notice tone="warning" className="fixed inset-x-4 top-20 z-30 mx-auto max-w-xl shadow-card">
      {/* Announced once: otherwise a screen reader would read the ticking line every second. */}
      <p role="alert" className="sr-only">
        {t('unreachableNow')}
      </p>
      <p aria-hidden="true" className="font-semibold">
        {seconds > 0 ? t('unreachable', { seconds }) : t('unreachableNow')}
      </p>
      <p>
        {clock} {hasAttempt ? t('placeKept') : null}
      </p>
    </Notice>
  );
}
