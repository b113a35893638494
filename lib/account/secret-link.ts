import { pageAddress } from '@/i18n/page-address';
import type { Locale } from '@/i18n/routing';
import { env } from '@/lib/env';

/** Makes the link to a page with a token behind #: browsers don't send that part to a server, so no log has it. */
export function secretLink(page: string, token: string, locale: Locale): string {
  const link = new URL(pageAddress(page, locale), env().publicUrl);
  link.hash = token;
  return link.href;
}
