import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { SitePagesPage } from '@/components/admin/site-pages/site-pages-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminPagesProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminPagesProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'AdminPages' });
  return { title: t('title') };
}

export default async function AdminPages({ params }: AdminPagesProps) {
  await staticLocale(params);
  return (
    <Page>
      <SitePagesPage />
    </Page>
  );
}
