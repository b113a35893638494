'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { newRequestId } from '@/components/api/new-request-id';
import { request } from '@/components/api/request';
import { useRefreshLists } from '@/components/api/use-list';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextAreaField, TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { Campaign } from '@/lib/contract/shapes/campaign';
import { MAX_CAMPAIGN_LIMIT } from '@/lib/contract/words/campaign';
import { spareSlug, toSlug } from '../kit/to-slug';
import { useActionOf } from '../kit/use-action';
import { useFields } from '../kit/use-fields';
import { type CampaignProblems, type CampaignValues, checkCampaign, toLimit } from './campaign-values';

interface CampaignFormProps {
  /** Null: the form makes a new one. */
  campaign: Campaign | null;
  onSaved: (campaign: Campaign) => void;
}

/** Makes or edits a campaign: its name, its address, what it is, and the limit per person. */
export function CampaignForm({ campaign, onSaved }: CampaignFormProps) {
  const t = useTranslations('AdminCampaigns.form');
  const refreshLists = useRefreshLists();
  const element = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<CampaignProblems>({});
  const [requestId] = useState(newRequestId);
  const [spare] = useState(spareSlug);
  const [hasOwnSlug, setHasOwnSlug] = useState(campaign !== null);
  const { values, set, text } = useFields<CampaignValues>({
    title: campaign?.title ?? '',
    slug: campaign?.slug ?? '',
    description: campaign?.description ?? '',
    limit: campaign?.limitPerUser ? String(campaign.limitPerUser) : '',
  });
  const save = useActionOf(
    () => {
      const body = {
        title: values.title.trim(),
        description: values.description.trim(),
        limitPerUser: toLimit(values.limit),
      };
      return campaign
        ? request('PATCH /api/admin/campaigns/{campaignId}', {
            params: { campaignId: campaign.campaignId },
            body: { ...body, version: campaign.version },
          })
        : request('POST /api/admin/campaigns', { body: { ...body, slug: values.slug, requestId } });
    },
    {
      onDone: (saved) => {
        refreshLists('GET /api/admin/campaigns');
        onSaved(saved);
      },
      onError: (error) => {
        if (error instanceof ApiProblem && error.code === 'SLUG_TAKEN') setProblems({ slug: 'slugTaken' });
      },
    },
  );
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
  const errorOf = (name: keyof CampaignValues) => {
    const problem = problems[name];
    return problem ? t(problem, { max: MAX_CAMPAIGN_LIMIT }) : null;
  };
  return (
    <Card className="p-5 sm:p-6">
      <form method="post" ref={element} noValidate onSubmit={onSubmit} className="grid gap-5">
        <h2 className="font-semibold text-xl">{t(campaign ? 'edit' : 'create')}</h2>
        <Problem error={problems.slug === 'slugTaken' ? null : save.error} />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={t('title')}
            name="title"
            value={values.title}
            error={errorOf('title')}
            onChange={({ target }) => {
              set('title', target.value);
              if (!hasOwnSlug) set('slug', toSlug(target.value, spare));
            }}
          />
          {campaign ? null : (
            <TextField
              label={t('slug')}
              hint={t('slugHint')}
              name="slug"
              value={values.slug}
              error={errorOf('slug')}
              onChange={({ target }) => {
                setHasOwnSlug(true);
                set('slug', target.value);
              }}
            />
          )}
          <div className="sm:col-span-2">
            <TextAreaField label={t('description')} name="description" {...text('description')} />
          </div>
          <TextField
            label={t('limit')}
            hint={t('limitHint')}
            name="limit"
            inputMode="numeric"
            error={errorOf('limit')}
            {...text('limit')}
          />
        </div>
        <Button type="submit" tone="primary" isBusy={save.isPending} className="justify-self-end">
          {t(campaign ? 'save' : 'make')}
        </Button>
      </form>
    </Card>
  );
}
