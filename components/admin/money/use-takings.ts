'use client';

import { useQueries, useQuery } from '@tanstack/react-query';
import { request } from '@/components/api/request';
import type { Takings } from '@/lib/contract/shapes/takings';
import type { TakingsBy } from '@/lib/contract/words/takings';

const EVERY_MS = 15_000;
/** The server answers for so many sales at once. */
const MOST_IDS = 100;

export type TakingsAsked = {
  by?: TakingsBy;
  saleIds?: string;
  campaignId?: string;
  from?: number;
  timeZone?: string;
};

const queryOf = (asked: TakingsAsked) => ({
  queryKey: ['takings', asked],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<{ takings: Takings[] }> =>
    request('GET /api/admin/takings', { query: asked, signal }),
  refetchInterval: EVERY_MS,
});

/** Loads what sales took, and again every 15 s. */
export const useTakings = (asked: TakingsAsked) =>
  useQuery({ ...queryOf(asked), placeholderData: (before) => before });

/** Loads what each of these sales took; the sales of a list that grows are asked for page by page. */
export function useTakingsOf(saleIds: readonly string[]): Takings[] {
  const pages = Array.from({ length: Math.ceil(saleIds.length / MOST_IDS) }, (_, at) =>
    saleIds.slice(at * MOST_IDS, (at + 1) * MOST_IDS),
  );
  return useQueries({
    queries: pages.map((ids) => queryOf({ by: 'sale', saleIds: ids.join(',') })),
    combine: (answers) => answers.flatMap(({ data }) => data?.takings ?? []),
  });
}
