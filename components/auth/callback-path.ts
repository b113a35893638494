import { safePath } from '@/components/ui/safe-path';
import { routing } from '@/i18n/routing';

const LANGUAGE_PREFIX = new RegExp(`^/(?:${routing.locales.join('|')})(?=/|$)`);

/** The page's `callbackUrl` as a path without its language; `/` if there is none or it leads off this site. */
export function callbackPath(search: string, origin: string): string {
  const path = safePath(new URLSearchParams(search).get('callbackUrl'), origin, '/');
  return path.replace(LANGUAGE_PREFIX, '') || '/';
}
