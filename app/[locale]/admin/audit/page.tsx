import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AuditPage } from '@/components/admin/audit/audit-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminAuditProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminAuditProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminAudit') };
}

export default async function AdminAudit({ params }: AdminAuditProps) {
  await staticLocale(params);
  return (
    <Page>
      <AuditPage />
    </Page>
  );
}
