'use client';

import { useSearchParams } from 'next/navigation';
import { useState } from 'react';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

type Filter<T> = { [Name in keyof T]: string };

/**
 * Keeps the filter of a page's lists in the address, so that a link or a reload shows the same. For the browser only:
 * inside an AdminGate.
 * @param read makes a filter of whatever the address says
 */
export function useUrlFilter<T extends Filter<T>>(
  read: (params: URLSearchParams) => T,
): [T, (change: Partial<T>) => void] {
  // Not from window.location: it still holds the previous page's address while this page is rendered.
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

/**
 * Reads texts from the address as they stand there.
 * @param usual every filter's name, with its value when the address doesn't name it
 */
export const readTexts =
  <T extends Filter<T>>(usual: T) =>
  (params: URLSearchParams): T =>
    Object.fromEntries(
      Object.entries<string>({ ...usual }).map(([name, value]) => [name, params.get(name) ?? value]),
    ) as T;

/** Returns the day that the address names, as a date field has it; '' if that is none. */
export const dayIn = (text: string | null | undefined): string => (text && DAY.test(text) ? text : '');
