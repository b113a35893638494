import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PeoplePage } from '@/components/admin/people/people-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminPeopleProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminPeopleProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminPeople') };
}

export default async function AdminPeople({ params }: AdminPeopleProps) {
  await staticLocale(params);
  return (
    <Page>
      <PeoplePage />
    </Page>
  );
}
