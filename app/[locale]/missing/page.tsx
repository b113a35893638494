import { everyLocale, staticPage, titled } from '@/i18n/static-page';
import NotFound from '../not-found';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('NotFound.heading'));

/**
 * The page our server sends with status 404 for every address that does not exist: made once, and readable without
 * scripts.
 */
export default staticPage(() => <NotFound />);
