import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { AlertBanner } from '@/components/admin/alerts/alert-banner';
import { AdminNav } from '@/components/admin/kit/admin-nav';
import { ConfirmAgain } from '@/components/admin/kit/confirm-again';
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
        <ConfirmAgain />
        <AdminNav />
        <AlertBanner />
        {children}
      </Toasts>
    </NextIntlClientProvider>
  );
}
