import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { OrderList } from '@/components/order/order-list';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface OrdersProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: OrdersProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('orders') };
}

export default async function Orders({ params }: OrdersProps) {
  await staticLocale(params);
  return (
    <Page width="text">
      <PageMessages of={['Errors', 'Orders', 'Points']}>
        <OrderList />
      </PageMessages>
    </Page>
  );
}
