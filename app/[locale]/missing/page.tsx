import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { everyLocale, staticLocale } from '@/i18n/static-page';
import NotFound from '../not-found';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface MissingProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: MissingProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'NotFound' });
  return { title: t('heading') };
}

/**
 * The page our server sends with status 404 for every address that does not exist: made once, and readable without
 * scripts.
 */
export default async function Missing({ params }: MissingProps) {
  await staticLocale(params);
  return <NotFound />;
}
