'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PagesQuery } from '@/components/api/load-more';
import { Problem } from '@/components/ui/problem';
import { ShowMore } from '@/components/ui/show-more';

interface PagedProps {
  /** The result of useInfiniteQuery. */
  query: PagesQuery & { data: unknown; error: unknown };
  isEmpty: boolean;
  /** Shown when the list is empty. */
  empty: ReactNode;
  /** The list. */
  children: ReactNode;
}

/**
 * Shows a list that loads page by page, with its messages while it loads, when it is empty or when it fails, and a
 * button for the next page.
 */
export function Paged({ query, isEmpty, empty, children }: PagedProps) {
  const common = useTranslations('Common');
  const { data, error } = query;
  return (
    <>
      <Problem error={error} />
      {!data && !error ? <p className="text-muted">{common('loading')}</p> : null}
      {data && isEmpty ? <div className="text-muted">{empty}</div> : null}
      {isEmpty ? null : children}
      <ShowMore query={query} />
    </>
  );
}
