import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { CampaignPage } from '@/components/admin/campaigns/campaign-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const dynamicParams = false;

/** Prerenders one shell for every campaign (see next.config.ts); the browser fetches it. */
export const generateStaticParams = () => everyLocale().map((params) => ({ ...params, campaignId: 'shell' }));

interface AdminCampaignProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminCampaignProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminCampaign') };
}

export default async function AdminCampaign({ params }: AdminCampaignProps) {
  await staticLocale(params);
  return (
    <Page>
      <CampaignPage />
    </Page>
  );
}
