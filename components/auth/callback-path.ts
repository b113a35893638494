import { routing } from '@/i18n/routing';
import { internalPath } from '@/lib/http/internal-path';

const LANGUAGE_PREFIX = new RegExp(`^/(?:${routing.locales.join('|')})(?=[/?#]|$)`);

/** Returns the page's `callbackUrl` as a path without its language; `/` if there is none or it leads to another site. */
export function callbackPath(search: string, origin: string): string {
  const path = internalPath(new URLSearchParams(search).get('callbackUrl'), origin) ?? '/';
  const rest = path.replace(LANGUAGE_PREFIX, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
