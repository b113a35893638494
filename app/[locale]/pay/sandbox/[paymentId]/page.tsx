import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { SandboxPage } from '@/components/pay/sandbox-page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const dynamicParams = false;

/** Prerenders one shell for every payment (see next.config.ts); the browser fetches what is personal. */
export const generateStaticParams = () => everyLocale().map((params) => ({ ...params, paymentId: 'shell' }));

interface SandboxPaymentProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: SandboxPaymentProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('pay') };
}

export default async function SandboxPayment({ params }: SandboxPaymentProps) {
  await staticLocale(params);
  const t = await getTranslations('Pay');
  return (
    <Page width="form">
      <PageMessages of={['Errors', 'Pay']}>
        <Suspense fallback={<p className="text-muted">{t('loading')}</p>}>
          <SandboxPage />
        </Suspense>
      </PageMessages>
    </Page>
  );
}
