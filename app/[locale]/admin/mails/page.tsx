import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { MailsPage } from '@/components/admin/mails/mails-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminMailsProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminMailsProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'AdminMails' });
  return { title: t('title') };
}

export default async function AdminMails({ params }: AdminMailsProps) {
  await staticLocale(params);
  return (
    <Page>
      <MailsPage />
    </Page>
  );
}
