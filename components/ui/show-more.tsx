'use client';

import { useTranslations } from 'next-intl';
import { loadMore, type PagesQuery } from '@/components/api/load-more';
import { Button } from './button';

/** Shows the button that loads the next page of a list, if there is one. */
export function ShowMore({ query }: { query: PagesQuery }) {
  const t = useTranslations('Common');
  const { hasNextPage, isFetchingNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <Button
      className="justify-self-center"
      isBusy={isFetchingNextPage}
      onClick={() => void loadMore(query).catch(() => {})}
    >
      {isFetchingNextPage ? t('loading') : t('loadMore')}
    </Button>
  );
}
