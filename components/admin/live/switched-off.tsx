'use client';

import { useTranslations } from 'next-intl';
import { useMay } from '@/components/session/use-may';
import { Notice } from '@/components/ui/notice';
import { Link } from '@/i18n/navigation';
import type { FeatureOff } from '@/lib/contract/shapes/switchboard';
import { useSwitchWords } from '../switchboard/use-switch-words';

/** Says which side features are off, since when, and by whom or by what load; nothing while all are on. */
export function SwitchedOff({ features }: { features: readonly FeatureOff[] }) {
  const t = useTranslations('AdminSwitchboard');
  const { featureName, sinceWords } = useSwitchWords();
  const maySee = useMay('seeShop');
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
      {maySee ? (
        <Link
          href="/admin/switchboard"
          prefetch={false}
          className="font-semibold underline underline-offset-4"
        >
          {t('toSwitchboard')}
        </Link>
      ) : null}
    </Notice>
  );
}
