import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { QueuesPage } from '@/components/admin/queues/queues-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminQueuesProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminQueuesProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'AdminQueues' });
  return { title: t('title') };
}

export default async function AdminQueues({ params }: AdminQueuesProps) {
  await staticLocale(params);
  return (
    <Page>
      <QueuesPage />
    </Page>
  );
}
