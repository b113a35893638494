import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { BlocksPage } from '@/components/admin/blocks/blocks-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminBlocksProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminBlocksProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminBlocks') };
}

export default async function AdminBlocks({ params }: AdminBlocksProps) {
  await staticLocale(params);
  return (
    <Page>
      <BlocksPage />
    </Page>
  );
}
