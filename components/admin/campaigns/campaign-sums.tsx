'use client';

import { useTranslations } from 'next-intl';
import type { CampaignView } from '@/lib/contract/shapes/campaign';
import { Figures } from '../kit/figures';

/** Shows what all sessions of a campaign have sold together, and the limit per person. */
export function CampaignSums({ campaign: { sums, limitPerUser } }: { campaign: CampaignView }) {
  const t = useTranslations('AdminCampaigns');
  const common = useTranslations('Common');
  return (
    <Figures
      heading={t('sums')}
      help={limitPerUser === null ? t('noLimitHelp') : t('limitHelp', { count: limitPerUser })}
      figures={[
        { label: t('total'), value: sums.total < 0 ? common('unlimited') : sums.total },
        { label: t('held'), value: sums.held },
        { label: t('sold'), value: sums.sold },
        { label: t('people'), value: sums.people },
      ]}
    />
  );
}
