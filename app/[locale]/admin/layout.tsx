import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { AlertBanner } from '@/components/admin/alerts/alert-banner';
import { AdminNav } from '@/components/admin/kit/admin-nav';
import { ConfirmAgain } from '@/components/admin/kit/confirm-again';
import { ShopSwitcher } from '@/components/admin/shop/shop-switcher';
import { Toasts } from '@/components/ui/toasts';
import { staticLocale } from '@/i18n/static-page';

/** Adds the admin area's messages to the shop's. */
export default async function AdminLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ locale: string }>;
}) {
  await staticLocale(params);
  return (
    <NextIntlClientProvider messages={await getMessages()}>
      <Toasts>
        <div className="lg:mx-auto lg:grid lg:max-w-[88rem] lg:grid-cols-[13rem_minmax(0,1fr)] lg:items-start">
          <AdminNav />
          <div>
            <ShopSwitcher />
            <AlertBanner />
            <ConfirmAgain />
            {children}
          </div>
        </div>
      </Toasts>
    </NextIntlClientProvider>
  );
}
