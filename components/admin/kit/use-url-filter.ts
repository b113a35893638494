'use client';

import { useSearchParams } from 'next/navigation';
import { useState } from 'react';

type Filter<T> = { [Name in keyof T]: string };

/**
 * What a page's lists show, kept in the address so that a link or a reload shows the same. For the browser only: inside
 * a AdminGate.
 * @param read makes sense of whatever the address says
 */
export function useUrlFilter<T extends Filter<T>>(
  read: (params: URLSearchParams) => T,
): [T, (change: Partial<T>) => void] {
  // Not from window.location, which still is the page before's while this one is rendered.
  const params = useSearchParams();
  const [filter, setFilter] = useState(() => read(new URLSearchParams(params)));
  const change = (part: Partial<T>) => {
    const next = { ...filter, ...part };
    setFilter(next);
    const usual = read(new URLSearchParams());
    const set = Object.entries<string>({ ...next }).filter(
      ([name, value]) => value !== usual[name as keyof T],
    );
    window.history.replaceState(null, '', `?${new URLSearchParams(set)}`);
  };
  return [filter, change];
}

/** Takes texts as the address has them. @param usual every filter's name, with what it is when the address doesn't say */
export const readTexts =
  <T extends Filter<T>>(usual: T) =>
  (params: URLSearchParams): T =>
    Object.fromEntries(
      Object.entries<string>({ ...usual }).map(([name, value]) => [name, params.get(name) ?? value]),
    ) as T;
