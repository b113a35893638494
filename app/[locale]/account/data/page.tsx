import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DataRoom } from '@/components/account/data-room';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface DataRoomProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: DataRoomProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Account.rooms' });
  return { title: t('data.name') };
}

export default async function AccountDataRoom({ params }: DataRoomProps) {
  await staticLocale(params);
  return (
    <Page width="text">
      <PageMessages of={['Account', 'Auth', 'Errors']}>
        <DataRoom />
      </PageMessages>
    </Page>
  );
}
