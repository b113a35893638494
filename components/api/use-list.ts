import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf, Endpoint, OperationAt, QueryOf } from '@/lib/contract/types';
import { type Arguments, type Options, request } from './request';

/** The endpoints that answer page by page. */
type ListEndpoint = { [E in Endpoint]: 'cursor' extends QueryOf<OperationAt<E>> ? E : never }[Endpoint];

type Answer<E extends Endpoint> = AnswerOf<OperationAt<E>>;
/** The type of a list's items: an answer contains exactly one list. */
type ItemOf<A> = { [K in keyof A]: A[K] extends readonly (infer Item)[] ? Item : never }[keyof A];

interface Settings {
  /** Ms between refetches; without it the list does not refetch by itself. */
  refetchInterval?: number | false;
  /** Ms during which the loaded list is not fetched again. */
  staleTime?: number;
}

/**
 * Loads a list page by page. While a new filter loads, the previous filter's results stay visible.
 * @returns `query` for <Paged>, and the items of all pages loaded so far. Its key begins with the endpoint.
 */
export function useList<E extends ListEndpoint>(
  endpoint: E,
  { query: filter, ...settings }: Pick<Options<E>, 'query'> & Settings = {},
) {
  const query = useInfiniteQuery({
    queryKey: [endpoint, 'pages', filter ?? {}],
    queryFn: ({ pageParam: cursor, signal }) =>
      request<E>(endpoint, ...([{ query: { ...filter, cursor }, signal }] as unknown as Arguments<E>)),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page as { nextCursor: string | null }).nextCursor,
    placeholderData: (previous) => previous,
    ...settings,
  });
  return { query, items: (query.data?.pages ?? []).flatMap(itemsOf<Answer<E>>) };
}

/** Returns a function that refetches what the given endpoints list, wherever the page shows it. */
export function useRefreshLists(): (...endpoints: ListEndpoint[]) => void {
  const client = useQueryClient();
  return (...endpoints) => {
    for (const endpoint of endpoints) void refreshList(client, endpoint);
  };
}

/** Refetches what an endpoint lists, from a time after the call on. Never rejects. */
export async function refreshList(client: QueryClient, endpoint: ListEndpoint): Promise<void> {
  const queryKey = [endpoint];
  // A first load under way may show how it was before: `invalidateQueries` alone would take it for the refetch.
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({ queryKey });
}

const itemsOf = <A>(page: A): ItemOf<A>[] =>
  (Object.values(page as object).find(Array.isArray) as ItemOf<A>[] | undefined) ?? [];
