'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Problem } from '@/components/ui/problem';

interface PagedProps {
  /** The result of useInfiniteQuery. */
  query: {
    data: unknown;
    error: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
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
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <>
      <Problem error={error} />
      {!data && !error ? <p className="text-muted">{common('loading')}</p> : null}
      {data && isEmpty ? <div className="text-muted">{empty}</div> : null}
      {isEmpty ? null : children}
      {hasNextPage ? (
        <Button
          className="justify-self-center"
          isBusy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? common('loading') : common('loadMore')}
        </Button>
      ) : null}
    </>
  );
}
