import { notFound } from 'next/navigation';

/**
 * Addresses that are no page, so that "not found" comes in the page's language. Never cached: any number of wrong
 * addresses must not push real pages out of memory.
 */
export const dynamic = 'force-dynamic';

export default function UnknownPage(): never {
  notFound();
}
