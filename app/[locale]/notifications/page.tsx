import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { NotificationList } from '@/components/notify/notification-list';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface NotificationsProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: NotificationsProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('notifications') };
}

export default async function Notifications({ params }: NotificationsProps) {
  await staticLocale(params);
  return (
    <Page width="text">
      <PageMessages of={['Errors', 'Notifications']}>
        <NotificationList />
      </PageMessages>
    </Page>
  );
}
