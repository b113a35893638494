import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { OrderPage } from '@/components/order/order-page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const dynamicParams = false;

/** Prerenders one shell for every order (see next.config.ts); the browser fetches what is personal. */
export const generateStaticParams = () => everyLocale().map((params) => ({ ...params, orderNo: 'shell' }));

interface OrderProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: OrderProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('order') };
}

export default async function Order({ params }: OrderProps) {
  await staticLocale(params);
  return (
    <Page width="text">
      <PageMessages of={['Address', 'Delivery', 'Errors', 'Order', 'Proof']}>
        <OrderPage />
      </PageMessages>
    </Page>
  );
}
