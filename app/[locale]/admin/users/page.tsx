import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { UsersPage } from '@/components/admin/users/users-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminUsersProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminUsersProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminUsers') };
}

export default async function AdminUsers({ params }: AdminUsersProps) {
  await staticLocale(params);
  return (
    <Page>
      <UsersPage />
    </Page>
  );
}
