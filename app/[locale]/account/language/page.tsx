import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { LanguageRoom } from '@/components/account/language-room';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface LanguageRoomProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: LanguageRoomProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Account.rooms' });
  return { title: t('language.name') };
}

export default async function AccountLanguageRoom({ params }: LanguageRoomProps) {
  await staticLocale(params);
  return (
    <Page width="text">
      <PageMessages of={['Account', 'Errors']}>
        <LanguageRoom />
      </PageMessages>
    </Page>
  );
}
