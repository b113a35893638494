'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { backoffMs, FOLLOW, followMs, RETRY } from '@/components/api/backoff';
import { entryHeaders } from '@/components/api/entry-headers';
import { request } from '@/components/api/request';
import { clockStore } from '@/components/clock/clock-store';
import { onReturn } from '@/components/clock/on-return';
import type { OrderView } from '@/lib/contract/shapes/order';

/** I6: the server corrects the payment countdown at least this often. */
const RESYNC_MS = 8000;
const AFTER_DEADLINE_MS = 1500;
const RECENTLY_SETTLED_MS = 30_000;

/** Returns in how many ms to poll an order again; null = it can't change any more by itself. */
export function orderPollMs(order: OrderView, asked: number, now: number, random: number): number | null {
  switch (order.status) {
    case 'undecided':
    case 'queued':
      return followMs(FOLLOW, asked, random);
    case 'pending_payment': {
      if (order.payBy === null) return FOLLOW.capMs;
      const leftMs = order.payBy - now;
      return leftMs > 0 ? Math.min(RESYNC_MS, leftMs + 200 + 300 * random) : AFTER_DEADLINE_MS;
    }
    case 'cancelled':
    case 'paid':
      // A payment under way may still arrive and change the order (or be refunded).
      return RECENTLY_SETTLED_MS;
    case 'refunded':
    case 'failed':
      return null;
  }
}

async function ask(orderNo: string, token: string | null, signal: AbortSignal): Promise<OrderView> {
  const sentAt = performance.now();
  const order = await request('GET /api/orders/{orderNo}', {
    params: { orderNo },
    headers: entryHeaders(token),
    signal,
  });
  clockStore().add({ sentAt, receivedAt: performance.now(), serverTime: order.serverTime });
  return order;
}

interface FollowedOrder {
  order: OrderView | null;
  /** The last request's problem; null after a good answer. */
  problem: ApiProblem | null;
  refresh: () => void;
}

/**
 * Follows an order: polls fast while it is being decided or written (200 ms doubling to 2 s), then as often as its deadline
 * needs. Every answer also sets the tab's clock.
 * @param entryToken the token it was bought with, or null to rely on the session
 */
export function useOrder(orderNo: string | null, entryToken: string | null): FollowedOrder {
  const { data, error, dataUpdatedAt, errorUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: ['order', orderNo],
    queryFn: ({ signal }) => ask(orderNo ?? '', entryToken, signal),
    enabled: orderNo !== null,
    retry: false,
    staleTime: 1000,
    refetchOnWindowFocus: false,
  });
  const asked = useRef(0);
  const failed = useRef(0);
  const settledAt = Math.max(dataUpdatedAt, errorUpdatedAt);
  const problem = error instanceof ApiProblem ? error : null;

  useEffect(() => {
    if (isFetching || settledAt === 0 || orderNo === null) return;
    asked.current = data?.status === 'queued' || data?.status === 'undecided' ? asked.current + 1 : 0;
    failed.current = error ? failed.current + 1 : 0;
    let delayMs: number | null;
    if (error)
      delayMs =
        problem && !problem.isTransient
          ? null
          : backoffMs(RETRY, failed.current, problem?.retryAfterMs ?? null);
    else delayMs = data ? orderPollMs(data, asked.current, clockStore().now(), Math.random()) : null;
    if (delayMs === null) return;
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') void refetch();
    }, delayMs);
    return () => clearTimeout(timer);
  }, [settledAt, isFetching, orderNo, data, error, problem, refetch]);
  useEffect(() => {
    if (orderNo !== null) return onReturn(() => void refetch({ cancelRefetch: false }));
  }, [orderNo, refetch]);

  return { order: orderNo === null ? null : (data ?? null), problem, refresh: () => void refetch() };
}
