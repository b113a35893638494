'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { useRefreshLists } from '@/components/api/use-list';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CenteredMessage } from '@/components/ui/centered-message';
import { LINK } from '@/components/ui/link-style';
import { Problem } from '@/components/ui/problem';
import { usePathId } from '@/components/ui/use-path-id';
import { Link } from '@/i18n/navigation';
import type { CampaignView } from '@/lib/contract/shapes/campaign';
import { isolated } from '@/lib/human-text';
import { ActionButton } from '../kit/action-button';
import { AdminGate } from '../kit/admin-gate';
import { useActionOf } from '../kit/use-action';
import { useMayInShop } from '../kit/use-shops';
import { TakingsCards } from '../money/takings-cards';
import { CampaignForm } from './campaign-form';
import { CampaignSums } from './campaign-sums';
import { SessionTable } from './session-table';

/** Orders come and go without this page. */
const EVERY_MS = 5_000;

export function CampaignPage() {
  const campaignId = usePathId();
  return <AdminGate>{campaignId === null ? null : <OneCampaign campaignId={campaignId} />}</AdminGate>;
}

/** Shows one campaign: its sessions, what they have sold, and what its merchant can do about it. */
function OneCampaign({ campaignId }: { campaignId: string }) {
  const t = useTranslations('AdminCampaigns');
  const common = useTranslations('Common');
  const { data, error, refetch } = useQuery({
    queryKey: ['admin-campaign', campaignId],
    queryFn: ({ signal }) =>
      request('GET /api/admin/campaigns/{campaignId}', { params: { campaignId }, signal }),
    refetchInterval: EVERY_MS,
    retry: (count, problem) => problemCode(problem) !== 'CAMPAIGN_NOT_FOUND' && count < 3,
  });
  if (problemCode(error) === 'CAMPAIGN_NOT_FOUND')
    return (
      <CenteredMessage heading={t('heading')} text={t('notFound')}>
        <Link href="/admin/campaigns" prefetch={false} className={LINK}>
          {t('back')}
        </Link>
      </CenteredMessage>
    );
  return (
    <div className="grid gap-6">
      <Link href="/admin/campaigns" prefetch={false} className={`${LINK} justify-self-start`}>
        {t('back')}
      </Link>
      <Problem error={error} />
      {data ? (
        <Details campaign={data} refresh={async () => void (await refetch())} />
      ) : error ? null : (
        <p className="text-muted">{common('loading')}</p>
      )}
    </div>
  );
}

function Details({ campaign, refresh }: { campaign: CampaignView; refresh: () => Promise<void> }) {
  const t = useTranslations('AdminCampaigns');
  const common = useTranslations('Common');
  const done = useTranslations('AdminDone');
  const mayChange = useMayInShop('settings');
  const refreshLists = useRefreshLists();
  const [isEditing, setIsEditing] = useState(false);
  const { campaignId, title, slug, status, sessions } = campaign;
  const refreshAll = async () => {
    refreshLists('GET /api/admin/campaigns');
    await refresh();
  };
  const turn = (verb: 'archive' | 'reopen') =>
    request(`POST /api/admin/campaigns/{campaignId}/${verb}`, { params: { campaignId } });
  const reopened = done('campaignReopened', { title: isolated(title) });
  const archived = done('campaignArchived', { title: isolated(title) });
  const action = useActionOf(turn, {
    says: (_, verb) =>
      verb === 'reopen'
        ? { text: reopened }
        : { text: archived, undo: { request: () => turn('reopen'), text: reopened } },
    refresh: refreshAll,
  });
  const verb = status === 'open' ? 'archive' : 'reopen';
  const isPublic = sessions.some((session) => session.status !== 'draft');
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="flex min-w-0 flex-wrap items-center gap-4">
          <h1 className="font-bold text-3xl tracking-tight [overflow-wrap:anywhere]">
            <bdi>{title}</bdi>
          </h1>
          <Badge tone={status === 'open' ? 'success' : 'neutral'}>{t(`status.${status}`)}</Badge>
        </div>
        {mayChange ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setIsEditing(!isEditing)}>
              {isEditing ? common('cancel') : t('edit')}
            </Button>
            {isEditing ? null : (
              <ActionButton action={action} onPress={() => action.mutate(verb)}>
                {t(verb)}
              </ActionButton>
            )}
          </div>
        ) : null}
      </div>
      <Problem error={action.error} />
      {isPublic ? (
        <Link href={`/campaigns/${slug}`} prefetch={false} className={`${LINK} justify-self-start`}>
          {t('toPage')}
        </Link>
      ) : (
        <p className="text-muted">{t('notPublic')}</p>
      )}
      {isEditing ? (
        <CampaignForm campaign={campaign} onSaved={() => setIsEditing(false)} onChange={refresh} />
      ) : null}
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <CampaignSums campaign={campaign} />
        <TakingsCards asked={{ campaignId }} />
      </div>
      <SessionTable sessions={sessions} />
    </>
  );
}
