import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { WebhooksPage } from '@/components/admin/webhooks/webhooks-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminWebhooksProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminWebhooksProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminWebhooks') };
}

export default async function AdminWebhooks({ params }: AdminWebhooksProps) {
  await staticLocale(params);
  return (
    <Page>
      <WebhooksPage />
    </Page>
  );
}
