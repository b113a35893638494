import { everyLocale, staticLocale } from '@/i18n/static-page';
import NotFound from '../not-found';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

/** What our server sends for every address that is none, with status 404: made once, and readable without scripts. */
export default async function Missing({ params }: { params: Promise<{ locale: string }> }) {
  await staticLocale(params);
  return <NotFound />;
}
