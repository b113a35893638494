import { createNavigation } from 'next-intl/navigation';
import { routing } from './routing';

/** Links and navigation that keep the language of the page. */
export const { Link, usePathname, useRouter, getPathname } = createNavigation(routing);
