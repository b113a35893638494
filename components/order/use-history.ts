'use client';

import { useQuery } from '@tanstack/react-query';
import { entryHeaders } from '@/components/api/entry-headers';
import { request } from '@/components/api/request';
import type { HistoryLine, OrderView } from '@/lib/contract/shapes/order';

/**
 * Returns what happened to an order, oldest first; fetches it again whenever the order has changed.
 * @param token the entry token the order was bought with, or null to rely on the session
 */
export function useHistory({ orderNo, status, version }: OrderView, token: string | null): HistoryLine[] {
  const { data } = useQuery({
    queryKey: ['history', orderNo, status, version],
    queryFn: ({ signal }) =>
      request('GET /api/orders/{orderNo}/history', {
        params: { orderNo },
        headers: entryHeaders(token),
        signal,
      }),
    enabled: status !== 'queued',
    // A refund under way changes the story, but not the order.
    refetchInterval: status === 'pending_payment' ? false : 30_000,
    placeholderData: (previous) => previous,
  });
  return data?.events ?? [];
}
