import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { EmailChange } from '@/components/auth/email-change';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface StopEmailProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: StopEmailProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('stopEmail') };
}

export default async function StopEmailPage({ params }: StopEmailProps) {
  await staticLocale(params);
  const t = await getTranslations('EmailChange');
  return (
    <Page width="form">
      <PageMessages of={['Auth', 'EmailChange', 'Errors']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('stop.heading')}</h1>
          <EmailChange link="stop" />
        </div>
      </PageMessages>
    </Page>
  );
}
