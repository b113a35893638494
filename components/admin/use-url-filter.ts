'use client';

import { useState } from 'react';

/**
 * What a table shows, kept in the address so that a link or a reload shows the same. For the browser only.
 * @param empty every filter's name, with what it is when the address doesn't say
 */
export function useUrlFilter<T extends Record<string, string>>(
  empty: T,
): [T, (change: Partial<Record<keyof T, string>>) => void] {
  const [filter, setFilter] = useState(() => {
    const params = new URLSearchParams(window.location.search);
    return Object.fromEntries(
      Object.entries(empty).map(([name, value]) => [name, params.get(name) ?? value]),
    ) as T;
  });
  const change = (part: Partial<Record<keyof T, string>>) => {
    const next = { ...filter, ...part };
    setFilter(next);
    const set = Object.entries(next).filter(([name, value]) => value !== empty[name]);
    window.history.replaceState(null, '', `?${new URLSearchParams(set)}`);
  };
  return [filter, change];
}
