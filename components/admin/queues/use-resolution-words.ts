'use client';

import { useTranslations } from 'next-intl';
import { isolated } from '@/lib/human-text';

const DISCARDED = /^discarded: ?/;

/** Says how and when a dead letter was closed. An outcome without words is shown as it is. */
export function useResolutionWords(): (resolution: string | null, time: string) => string {
  const t = useTranslations('AdminQueues.resolutions');
  return (resolution, time) => {
    if (resolution === 'retried' || resolution === 'superseded' || resolution === 'repaired')
      return t(resolution, { time });
    if (resolution === null) return t('other', { time, how: '–' });
    if (DISCARDED.test(resolution))
      return t('discarded', { time, reason: isolated(resolution.replace(DISCARDED, '')) });
    return t('other', { time, how: resolution });
  };
}
