'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';

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
  const problemText = useProblemText();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <>
      {error ? (
        <Notice tone="danger" role="alert">
          {problemText(error)}
        </Notice>
      ) : null}
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
