'use client';

import { useTranslations } from 'next-intl';
import { Notice } from '@/components/ui/notice';
import type { FeatureOff } from '@/lib/contract/shapes/switchboard';
import { useSwitchWords } from '../switchboard/use-switch-words';
import { SwitchboardLink } from './switchboard-link';

/** Says which side features are off, since when, and by whom or by what load; nothing while all are on. */
export function SwitchedOff({ features }: { features: readonly FeatureOff[] }) {
  const t = useTranslations('AdminSwitchboard');
  const { featureName, sinceWords } = useSwitchWords();
  if (features.length === 0) return null;
  return (
    <Notice tone="warning">
      <h2 className="font-semibold">{t('switchedOff')}</h2>
      <ul>
        {features.map(({ feature, offBy, since, byEmail, goesAt }) => (
          <li key={feature}>
            {featureName(feature)} · {sinceWords({ offBy, since, by: byEmail, goesAt })}
          </li>
        ))}
      </ul>
      <SwitchboardLink />
    </Notice>
  );
}
