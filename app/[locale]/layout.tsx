import type { Metadata, Viewport } from 'next';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { KeptPlace } from '@/components/layout/kept-place';
import { Providers } from '@/components/layout/providers';
import { SiteFooter } from '@/components/layout/site-footer';
import { SiteHeader } from '@/components/layout/site-header';
import { staticLocale } from '@/i18n/static-page';
import '../globals.css';

interface LayoutProps {
  children: ReactNode;
  params: Promise<{ locale: string }>;
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#1b1917' },
  ],
};

export async function generateMetadata({ params }: LayoutProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return {
    title: { template: `%s · ${t('name')}`, default: `${t('name')} · ${t('tagline')}` },
    description: t('tagline'),
    icons: { icon: '/icon.svg' },
  };
}

export default async function LocaleLayout({ children, params }: LayoutProps) {
  const locale = await staticLocale(params);
  const t = await getTranslations('Layout');
  // Only the admin area's pages carry the admin area's messages.
  const messages = Object.fromEntries(
    Object.entries(await getMessages()).filter(([namespace]) => !/^(Admin$|Admin)/.test(namespace)),
  );
  return (
    <html lang={locale}>
      <body className="flex min-h-dvh flex-col">
        <a
          href="#main"
          className="sr-only z-50 rounded-lg bg-panel px-4 py-3 font-semibold focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          {t('skip')}
        </a>
        <NextIntlClientProvider messages={messages}>
          <KeptPlace />
          <Providers>
            <SiteHeader />
            <div className="flex-1">{children}</div>
            <SiteFooter />
          </Providers>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
