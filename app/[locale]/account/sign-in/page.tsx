import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { SignInRoom } from '@/components/account/sign-in-room';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface SignInRoomProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: SignInRoomProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Account.rooms' });
  return { title: t('signIn.name') };
}

export default async function AccountSignInRoom({ params }: SignInRoomProps) {
  await staticLocale(params);
  return (
    <Page width="text">
      <PageMessages of={['Account', 'Auth', 'Errors']}>
        <SignInRoom />
      </PageMessages>
    </Page>
  );
}
