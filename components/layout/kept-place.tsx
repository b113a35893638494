'use client';

import { useEffect } from 'react';
import { usePathname } from '@/i18n/navigation';
import { watchPlace } from './watch-place';

/**
 * Keeps the keyboard's place on every page. When a control with the focus disappears, such as a button after its
 * action, the focus goes to the control's row, to the row that moved up, or to the heading.
 */
export function KeptPlace() {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies(pathname): another page has other places
  useEffect(watchPlace, [pathname]);
  return null;
}
