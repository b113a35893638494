import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { StopMails } from '@/components/auth/stop-mails';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface StopMailsProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: StopMailsProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('stopMails') };
}

export default async function StopMailsPage({ params }: StopMailsProps) {
  await staticLocale(params);
  const t = await getTranslations('StopMails');
  const topics = await getTranslations('Account.mails.topics');
  return (
    <Page width="form">
      <PageMessages of={['Errors', 'StopMails']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
          <StopMails topics={{ reminders: topics('reminders'), waiting: topics('waiting') }} />
        </div>
      </PageMessages>
    </Page>
  );
}
