import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { CampaignsPage } from '@/components/admin/campaigns/campaigns-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminCampaignsProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminCampaignsProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminCampaigns') };
}

export default async function AdminCampaigns({ params }: AdminCampaignsProps) {
  await staticLocale(params);
  return (
    <Page>
      <CampaignsPage />
    </Page>
  );
}
