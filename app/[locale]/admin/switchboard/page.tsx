import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { SwitchboardPage } from '@/components/admin/switchboard/switchboard-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminSwitchboardProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminSwitchboardProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'AdminSwitchboard' });
  return { title: t('title') };
}

export default async function AdminSwitchboard({ params }: AdminSwitchboardProps) {
  await staticLocale(params);
  return (
    <Page>
      <SwitchboardPage />
    </Page>
  );
}
