'use client';

import { useTranslations } from 'next-intl';
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { newRequestId } from '@/components/api/new-request-id';
import { request } from '@/components/api/request';
import { useRefreshLists } from '@/components/api/use-list';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextAreaField, TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { Campaign } from '@/lib/contract/shapes/campaign';
import { MAX_CAMPAIGN_LIMIT } from '@/lib/contract/words/campaign';
import { ShopField, shopForNew } from '../kit/shop-field';
import { spareSlug, toSlug } from '../kit/to-slug';
import { useActionOf } from '../kit/use-action';
import { useShops } from '../kit/use-shops';
import { useTouched } from '../kit/use-touched';
import { type CampaignProblems, type CampaignValues, checkCampaign, toLimit } from './campaign-values';

interface CampaignFormProps {
  /** Null: the form makes a new one. */
  campaign: Campaign | null;
  onSaved: (campaign: Campaign) => void;
  /** Reads the campaign again, after a refusal too. */
  onChange?: () => Promise<void>;
}

/** Makes or edits a campaign: its name, its address, what it is, and the limit per person. */
export function CampaignForm({ campaign, onSaved, onChange }: CampaignFormProps) {
  const t = useTranslations('AdminCampaigns.form');
  const shops = useShops('settings');
  const element = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<CampaignProblems>({});
  const [spare] = useState(spareSlug);
  const { values, isOvertaken, touch } = useTouched<CampaignValues>({
    title: campaign?.title ?? '',
    slug: campaign?.slug ?? '',
    shopId: '',
    description: campaign?.description ?? '',
    limit: campaign?.limitPerUser ? String(campaign.limitPerUser) : '',
  });
  const save = useSaveCampaign(campaign, values, {
    onDone: onSaved,
    refresh: onChange,
    onError: (error) => {
      if (problemCode(error) === 'SLUG_TAKEN') setProblems({ slug: 'slugTaken' });
    },
  });
  useEffect(() => {
    const [first] = Object.keys(problems);
    if (first) element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  }, [problems]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = checkCampaign(values);
    setProblems(found);
    if (Object.keys(found).length === 0) save.mutate();
  };
  const field = (name: Exclude<keyof CampaignValues, 'shopId'>) => {
    const problem = problems[name];
    const error = problem ? t(problem, { max: MAX_CAMPAIGN_LIMIT }) : null;
    return {
      label: t(name),
      name,
      error,
      value: values[name],
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        touch({ [name]: target.value }),
    };
  };
  return (
    <Card className="p-5 sm:p-6">
      <form method="post" ref={element} noValidate onSubmit={onSubmit} className="grid gap-5">
        <h2 className="font-semibold text-xl">{t(campaign ? 'edit' : 'create')}</h2>
        <Problem
          error={
            problems.slug === 'slugTaken' ? null : (save.error ?? (isOvertaken ? 'VERSION_CONFLICT' : null))
          }
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            {...field('title')}
            onChange={({ target }) => {
              const hasOwnSlug = campaign !== null || values.slug !== toSlug(values.title, spare);
              touch({
                title: target.value,
                ...(hasOwnSlug ? {} : { slug: toSlug(target.value, spare) }),
              });
            }}
          />
          {campaign ? null : (
            <>
              <TextField {...field('slug')} hint={t('slugHint')} />
              <ShopField
                shops={shops}
                value={values.shopId}
                onChange={({ target }) => touch({ shopId: target.value })}
              />
            </>
          )}
          <div className="sm:col-span-2">
            <TextAreaField {...field('description')} />
          </div>
          <TextField {...field('limit')} hint={t('limitHint')} inputMode="numeric" />
        </div>
        <Button type="submit" tone="primary" isBusy={save.isPending} className="justify-self-end">
          {t(campaign ? 'save' : 'make')}
        </Button>
      </form>
    </Card>
  );
}

interface SaveSettings {
  onDone: (saved: Campaign) => void;
  onError: (error: Error) => void;
  refresh: (() => Promise<void>) | undefined;
}

/** Sends what the form holds: a new campaign, or the changes of one. */
function useSaveCampaign(
  campaign: Campaign | null,
  { title, slug, description, limit, shopId: given }: CampaignValues,
  { onDone, ...settings }: SaveSettings,
) {
  const refreshLists = useRefreshLists();
  const [requestId] = useState(newRequestId);
  const shopId = shopForNew(useShops('settings'), given);
  const send = () => {
    const body = {
      title: title.trim(),
      description: description.trim(),
      limitPerUser: toLimit(limit),
    };
    if (!campaign)
      return request('POST /api/admin/campaigns', { body: { ...body, slug, shopId, requestId } });
    const { campaignId, version } = campaign;
    return request('PATCH /api/admin/campaigns/{campaignId}', {
      params: { campaignId },
      body: { ...body, version },
    });
  };
  return useActionOf(send, {
    onDone: (saved) => {
      refreshLists('GET /api/admin/campaigns');
      onDone(saved);
    },
    ...settings,
  });
}
