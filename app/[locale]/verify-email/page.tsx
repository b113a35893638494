import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { VerifyEmail } from '@/components/auth/verify-email';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface VerifyEmailProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: VerifyEmailProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('verifyEmail') };
}

export default async function VerifyEmailPage({ params }: VerifyEmailProps) {
  await staticLocale(params);
  const t = await getTranslations('VerifyEmail');
  return (
    <Page width="form">
      <PageMessages of={['Errors', 'VerifyEmail']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
          <VerifyEmail />
        </div>
      </PageMessages>
    </Page>
  );
}
