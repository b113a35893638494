'use client';

import { useIsClient } from '@/components/ui/use-is-client';
import { usePathname } from '@/i18n/navigation';

/**
 * Returns the last part of the page's address, for pages that share one static shell; null until the page has
 * hydrated. (The route's own parameter is the shell's name, the same for all.)
 */
export function usePathId(): string | null {
  const pathname = usePathname();
  const isClient = useIsClient();
  if (!isClient) return null;
  return decodeURIComponent(pathname.split('/').filter(Boolean).at(-1) ?? '') || null;
}
