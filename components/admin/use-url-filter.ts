'use client';

import { useSearchParams } from 'next/navigation';
import { useState } from 'react';

/**
 * What a page's lists show, kept in the address so that a link or a reload shows the same. For the browser only: inside
 * a DeskGate.
 * @param read makes sense of whatever the address says
 */
export function useUrlFilter<T extends { [Name in keyof T]: string }>(
  read: (params: URLSearchParams) => T,
): [T, (change: Partial<T>) => void] {
  // Not from window.location, which still is the page before's while this one is rendered.
  const params = useSearchParams();
  const [filter, setFilter] = useState(() => read(new URLSearchParams(params)));
  const change = (part: Partial<T>) => {
    const next = { ...filter, ...part };
    setFilter(next);
    window.history.replaceState(null, '', `?${new URLSearchParams({ ...next })}`);
  };
  return [filter, change];
}
