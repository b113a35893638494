import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AddressesRoom } from '@/components/account/addresses-room';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AddressesRoomProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AddressesRoomProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Account.rooms' });
  return { title: t('addresses.name') };
}

export default async function AccountAddresses({ params }: AddressesRoomProps) {
  await staticLocale(params);
  return (
    <Page width="text">
      <PageMessages of={['Account', 'Address', 'Errors']}>
        <AddressesRoom />
      </PageMessages>
    </Page>
  );
}
