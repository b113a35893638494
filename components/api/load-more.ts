/** What `useInfiniteQuery` returns, as far as it takes to load on. */
export interface PagesQuery {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  refetch: (options: { cancelRefetch: boolean }) => Promise<unknown>;
  fetchNextPage: () => Promise<unknown>;
}

/**
 * Loads the next page of a list. A refetch that is under way ends first: `fetchNextPage` would cancel it, and what it was
 * to show, such as a row just made, would stay away.
 */
export async function loadMore({
  isFetching,
  isFetchingNextPage,
  refetch,
  fetchNextPage,
}: PagesQuery): Promise<void> {
  if (isFetching && !isFetchingNextPage) await refetch({ cancelRefetch: false });
  await fetchNextPage();
}
