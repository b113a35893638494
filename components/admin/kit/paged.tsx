'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Problem } from '@/components/ui/problem';

interface PagedProps {
  /** Of useInfiniteQuery. */
  query: {
    data: unknown;
    error: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  isEmpty: boolean;
  /** What is said when there is nothing. */
  empty: ReactNode;
  /** What there is. */
  children: ReactNode;
}

/** A list that comes page by page: what it says while it loads, when it is empty or fails, and the way to the rest. */
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
