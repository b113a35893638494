import type { Metadata, Viewport } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { EarlyVisit } from '@/components/layout/early-requests';
import { KeptPlace } from '@/components/layout/kept-place';
import { PageMessages } from '@/components/layout/page-messages';
import { Providers } from '@/components/layout/providers';
import { SiteFooter } from '@/components/layout/site-footer';
import { SiteHeader } from '@/components/layout/site-header';
import { staticLocale } from '@/i18n/static-page';
import { pagesInFooter } from '@/lib/site-page/pages-in-footer';
import '../globals.css';

interface LayoutProps {
  children: ReactNode;
  params: Promise<{ locale: string }>;
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  // The bar of a sale's button reaches the screen's edge, and keeps clear of what a phone shows there.
  viewportFit: 'cover',
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
    icons: { icon: '/icon.svg', apple: '/icon-192.png' },
    manifest: '/manifest.webmanifest',
  };
}

export default async function LocaleLayout({ children, params }: LayoutProps) {
  const locale = await staticLocale(params);
  const t = await getTranslations('Layout');
  return (
    <html lang={locale}>
      <body className="flex min-h-dvh flex-col">
        <EarlyVisit />
        <a
          href="#main"
          className="sr-only z-50 rounded-lg bg-panel px-4 py-3 font-semibold focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          {t('skip')}
        </a>
        <PageMessages of={[]}>
          <KeptPlace />
          <Providers>
            <SiteHeader />
            {/* The footer begins below the first screen: it must not move when a list has loaded. */}
            <div className="min-h-[calc(100dvh-4rem)] flex-1">{children}</div>
            <SiteFooter pages={await pagesInFooter()} />
          </Providers>
        </PageMessages>
      </body>
    </html>
  );
}
