import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { cache } from 'react';
import { CampaignSessions } from '@/components/campaign/campaign-sessions';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { toListEntry } from '@/components/sale/shown-sale';
import { Notice } from '@/components/ui/notice';
import type { Locale } from '@/i18n/routing';
import { staticLocale } from '@/i18n/static-page';
import { findCampaignPage } from '@/lib/campaign/records/find-campaign-page';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { cutText, isolated } from '@/lib/human-text';

/**
 * The same page for every visitor, made on the first visit and kept until the campaign or a sale of it is edited. The
 * browser fetches what is live.
 */
export const dynamic = 'force-static';
export const dynamicParams = true;
export const revalidate = 3600;

interface CampaignPageProps {
  params: Promise<{ locale: string; slug: string }>;
}

/** Prerenders nothing at build time: there is no database then. */
export const generateStaticParams = () => [];

const loadCampaign = cache(findCampaignPage);

export async function generateMetadata({ params }: CampaignPageProps): Promise<Metadata> {
  const { slug } = await params;
  const campaign = await loadCampaign(slug);
  if (!campaign) return {};
  return { title: isolated(campaign.title), description: cutText(campaign.description, 200) };
}

/** The page says itself to which campaign its sales belong. */
const toSession = (sale: SaleInfo, locale: Locale) => ({ ...toListEntry(sale, locale), campaign: null });

export default async function CampaignPage({ params }: CampaignPageProps) {
  const locale = await staticLocale(params);
  const { slug } = await params;
  const campaign = await loadCampaign(slug);
  if (!campaign) notFound();
  const t = await getTranslations('Campaign');
  const { title, description, limitPerUser, sales } = campaign;
  return (
    <Page>
      <PageMessages of={['Campaign', 'Sale']}>
        <article className="grid gap-6 sm:gap-8">
          <div className="grid max-w-3xl gap-2">
            <h1 className="font-bold text-3xl leading-tight tracking-tight sm:text-4xl">
              <bdi>{title}</bdi>
            </h1>
            {description ? (
              <p className="whitespace-pre-line text-lg text-muted [overflow-wrap:anywhere]">{description}</p>
            ) : null}
          </div>
          {limitPerUser === null ? null : <Notice>{t('limit', { count: limitPerUser })}</Notice>}
          <CampaignSessions slug={slug} sales={sales.map((sale) => toSession(sale, locale))} />
        </article>
      </PageMessages>
    </Page>
  );
}
