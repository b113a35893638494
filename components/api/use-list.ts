import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf, Endpoint, OperationAt, QueryOf } from '@/lib/contract/types';
import { type Arguments, type Options, request } from './request';

/** Endpoints that answer page by page. */
type ListEndpoint = { [E in Endpoint]: 'cursor' extends QueryOf<OperationAt<E>> ? E : never }[Endpoint];

type Answer<E extends Endpoint> = AnswerOf<OperationAt<E>>;
/** What a page lists: it has one list. */
type ItemOf<A> = { [K in keyof A]: A[K] extends readonly (infer Item)[] ? Item : never }[keyof A];

interface Settings {
  /** Ms between looking again; not by itself where nothing is said. */
  refetchInterval?: number | false;
  /** Ms for which what is known is not asked for again. */
  staleTime?: number;
}

/**
 * A list that comes page by page. While another filter loads, what the one before found stays.
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

/** Has whatever these endpoints list asked for again, wherever it is shown. */
export function useRefreshLists(): (...endpoints: ListEndpoint[]) => void {
  const client = useQueryClient();
  return (...endpoints) => {
    for (const endpoint of endpoints) void client.invalidateQueries({ queryKey: [endpoint] });
  };
}

const itemsOf = <A>(page: A): ItemOf<A>[] =>
  (Object.values(page as object).find(Array.isArray) as ItemOf<A>[] | undefined) ?? [];
