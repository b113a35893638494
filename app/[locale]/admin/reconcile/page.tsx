import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ReconcilePage } from '@/components/admin/reconcile/reconcile-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminReconcileProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminReconcileProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'AdminReconcile' });
  return { title: t('title') };
}

export default async function AdminReconcile({ params }: AdminReconcileProps) {
  await staticLocale(params);
  return (
    <Page>
      <ReconcilePage />
    </Page>
  );
}
