import { createNavigation } from 'next-intl/navigation';
import { routing } from './routing';

/** Provides links and navigation that keep the page's language. */
export const { Link, usePathname, useRouter, getPathname } = createNavigation(routing);
