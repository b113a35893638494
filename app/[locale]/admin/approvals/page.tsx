import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ApprovalsPage } from '@/components/admin/approvals/approvals-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminApprovalsProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminApprovalsProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminApprovals') };
}

export default async function AdminApprovals({ params }: AdminApprovalsProps) {
  await staticLocale(params);
  return (
    <Page>
      <ApprovalsPage />
    </Page>
  );
}
