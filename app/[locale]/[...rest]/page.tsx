import { notFound } from 'next/navigation';

/**
 * Catches addresses without a page, so that "not found" appears in the page's language. Never cached: wrong
 * addresses, however many, must not push real pages out of memory.
 */
export const dynamic = 'force-dynamic';

export default function UnknownPage(): never {
  notFound();
}
