'use client';

import { useTranslations } from 'next-intl';
import { memo, useMemo } from 'react';
import type { LivePoint } from '@/lib/contract/shapes/live';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from '@/lib/contract/words/live';
import { Chart, type ChartLine } from './chart';
import { levelsOf, ratesOf } from './series';

/**
 * Draws what happens second by second: attempts by outcome, orders written against accepted, and what waits in
 * between. Draws again only when there are new points.
 */
export const LiveCharts = memo(function LiveCharts({ points }: { points: LivePoint[] }) {
  const t = useTranslations('AdminLive');
  const { times, outcomes, accepted, written, outbox, lag } = useMemo(
    () => ({
      times: points.map(({ at }) => at),
      outcomes: ATTEMPT_OUTCOMES.map((outcome) => ratesOf(points, outcome)),
      accepted: levelsOf(points, 'accepted'),
      written: levelsOf(points, 'written'),
      outbox: levelsOf(points, 'outbox'),
      lag: levelsOf(points, 'relayLagMs'),
    }),
    [points],
  );
  const line = (key: LineKey, style: number, values: (number | null)[]): ChartLine => ({
    key,
    label: t(`line.${key}.label`),
    help: t(`line.${key}.help`),
    style,
    values,
  });
  return (
    <>
      <Chart
        heading={t('attemptsHeading')}
        help={t('attemptsHelp')}
        times={times}
        lines={ATTEMPT_OUTCOMES.map((outcome, i) => line(outcome, i, outcomes[i] ?? []))}
        digits={1}
        isWide
      >
        {t('perSecond')}
      </Chart>
      <Chart
        heading={t('ordersHeading')}
        help={t('ordersHelp')}
        times={times}
        lines={[line('acceptedTotal', 3, accepted), line('writtenTotal', 0, written)]}
      >
        {t('sinceStart')}
      </Chart>
      <Chart
        heading={t('outboxHeading')}
        help={t('outboxHelp')}
        times={times}
        lines={[line('outbox', 1, outbox), { ...line('lag', 4, lag), isApart: true }]}
      >
        {t('ordersAndMs')}
      </Chart>
    </>
  );
});

type LineKey = AttemptOutcome | 'acceptedTotal' | 'writtenTotal' | 'outbox' | 'lag';
