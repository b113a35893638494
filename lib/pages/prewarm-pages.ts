import 'server-only';
import pLimit from 'p-limit';
import { limitMs } from '@/lib/time-limits';

const AT_ONCE = 4;
/** Bounds the work for a product in very many sales: the other pages are made at their first visit. */
const MAX_PAGES = 200;

/**
 * Visits pages once, so that they are made before the first shopper asks. A page that fails here is made at that
 * shopper's visit.
 * @param visit tells whether a page could be fetched; never throws
 * @returns how many pages could be fetched.
 */
export async function prewarmPages(
  visit: (address: string) => Promise<boolean>,
  addresses: readonly string[],
): Promise<number> {
  const limit = pLimit(AT_ONCE);
  const visits = addresses.slice(0, MAX_PAGES).map((address) => limit(() => visit(address)));
  return (await Promise.all(visits)).filter(Boolean).length;
}

/**
 * Makes a function that visits pages over HTTP, as a shopper would. @param origin of the web process that should have
 * the pages
 */
export function visitAt(origin: string): (address: string) => Promise<boolean> {
  return async (address) => {
    try {
      const signal = AbortSignal.timeout(limitMs('pageVisit'));
      const response = await fetch(`${origin}${address}`, { redirect: 'manual', signal });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  };
}
