'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { useRouter } from '@/i18n/navigation';
import { adminPage, PageFrame } from '../kit/admin-page';
import { useMayInShop } from '../kit/use-shops';
import { CampaignForm } from './campaign-form';
import { CampaignTable } from './campaign-table';

/** Shows every campaign, and a form for the next one. */
function Campaigns() {
  const t = useTranslations('AdminCampaigns');
  const common = useTranslations('Common');
  const router = useRouter();
  const mayCreate = useMayInShop('settings');
  const [isCreating, setIsCreating] = useState(false);
  return (
    <PageFrame
      words="AdminCampaigns"
      beside={
        mayCreate ? (
          <Button tone={isCreating ? 'quiet' : 'primary'} onClick={() => setIsCreating(!isCreating)}>
            {isCreating ? common('cancel') : t('new')}
          </Button>
        ) : null
      }
    >
      {isCreating ? (
        <CampaignForm
          campaign={null}
          onSaved={({ campaignId }) => router.push(`/admin/campaigns/${campaignId}`)}
        />
      ) : null}
      <CampaignTable />
    </PageFrame>
  );
}

export const CampaignsPage = adminPage(Campaigns);
