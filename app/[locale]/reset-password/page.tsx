import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ResetPassword } from '@/components/auth/reset-password';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface ResetPasswordProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: ResetPasswordProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('resetPassword') };
}

export default async function ResetPasswordPage({ params }: ResetPasswordProps) {
  await staticLocale(params);
  const t = await getTranslations('Password');
  return (
    <Page width="form">
      <PageMessages of={['Auth', 'Errors', 'Password']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('resetHeading')}</h1>
          <ResetPassword />
        </div>
      </PageMessages>
    </Page>
  );
}
