import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { EmailChange } from '@/components/auth/email-change';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface ConfirmEmailProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: ConfirmEmailProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('confirmEmail') };
}

export default async function ConfirmEmailPage({ params }: ConfirmEmailProps) {
  await staticLocale(params);
  const t = await getTranslations('EmailChange');
  return (
    <Page width="form">
      <PageMessages of={['Auth', 'EmailChange', 'Errors']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('confirm.heading')}</h1>
          <EmailChange link="confirm" />
        </div>
      </PageMessages>
    </Page>
  );
}
