import 'server-only';
import type { Check } from '@/lib/contract/shapes/preflight';
import { env } from '@/lib/env';
import { pageAddresses } from '@/lib/pages/page-addresses';
import { prewarmPages, visitAt } from '@/lib/pages/prewarm-pages';
import { failed, passed } from './make-check';

/** Checks that these pages can be had, in every language. */
export async function checkPages(paths: readonly string[]): Promise<Check<'page'>> {
  const addresses = paths.flatMap(pageAddresses);
  const made = await prewarmPages(visitAt(env().serveOrigin), addresses);
  const values = { made, pages: addresses.length };
  return made === addresses.length
    ? passed('page', 'The pages can be had.', values)
    : failed('warn', 'page', 'missing', `${made} of ${addresses.length} pages could be had.`, values);
}
