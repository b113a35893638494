import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ForgotPassword } from '@/components/auth/forgot-password';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface ForgotPasswordProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: ForgotPasswordProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('forgotPassword') };
}

export default async function ForgotPasswordPage({ params }: ForgotPasswordProps) {
  await staticLocale(params);
  const t = await getTranslations('Password');
  return (
    <Page width="form">
      <PageMessages of={['Auth', 'Errors', 'Password']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('forgotHeading')}</h1>
          <ForgotPassword />
        </div>
      </PageMessages>
    </Page>
  );
}
