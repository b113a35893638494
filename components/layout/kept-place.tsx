'use client';

import { useEffect } from 'react';
import { usePathname } from '@/i18n/navigation';
import { watchPlace } from './watch-place';

/**
 * Keeps the keyboard's place on every page: what goes away with the focus on it, such as a button whose deed is done,
 * hands it to its row, to the row that has moved up, or to the heading.
 */
export function KeptPlace() {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies(pathname): another page has other places
  useEffect(watchPlace, [pathname]);
  return null;
}
