import { routing } from '@/i18n/routing';

const LIST = 'sales';
const PREFIX = 'sale-';
/** Both CDNs separate tags by commas or spaces; a slug has neither, whatever an address says. */
const SLUG = /^[A-Za-z0-9_-]{1,200}$/;
const LOCALE = new RegExp(`^/(?:${routing.locales.join('|')})(?=/|$)`);

/** Returns the tag of everything that shows the list of sales. */
export const listTag = (): string => LIST;

/** Returns the tag of a sale's pages and of its state. */
export const saleTag = (slug: string): string => `${PREFIX}${slug}`;

/** Returns the tags of everything that shows these sales. */
export const tagsOfSales = (slugs: readonly string[]): string[] => [LIST, ...slugs.map(saleTag)];

/** Returns the tags of a page. @param target its address, with or without language and query */
export function tagsOfPage(target: string): string[] {
  const path = (target.split('?', 1)[0] ?? '').replace(LOCALE, '') || '/';
  // A campaign shows several sales: whatever changes one of them changes the list.
  if (path === '/' || path.startsWith('/campaigns/')) return [LIST];
  const slug = path.startsWith('/sales/') ? path.slice('/sales/'.length) : '';
  return SLUG.test(slug) ? [saleTag(slug)] : [];
}
