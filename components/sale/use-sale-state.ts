'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { requestAnswer } from '@/components/api/request';
import { clockStore } from '@/components/clock/clock-store';
import { onReturn } from '@/components/clock/on-return';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { newerState } from './newer-state';
import { pollDelayMs } from './poll-delay';
import { useStateStream } from './use-state-stream';

interface LiveSaleState {
  /** The last answer; null before the first. */
  state: SaleState | null;
  /** How many requests in a row failed; > 0 means the last one got no usable answer. */
  failures: number;
  /** When the next request goes out, server epoch ms; for "retrying in n s". */
  nextAt: number | null;
  refresh: () => void;
}

/**
 * Follows a sale's state: through the server's events until it is over (see useStateStream), and whenever those fail by
 * polling (see pollDelayMs). Pauses while the tab is hidden and asks at once
 * when it returns.
 * @param isDone the shopper has bought: no more events are needed
 */
export function useSaleState(saleId: string, startsAt: number, isDone: boolean): LiveSaleState {
  const client = useQueryClient();
  const queryKey = useMemo(() => ['sale-state', saleId], [saleId]);
  const { data, error, dataUpdatedAt, errorUpdatedAt, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const asked = requestAnswer('GET /api/sales/{saleId}/state', { params: { saleId }, signal });
      const { data: answer, receivedAt } = await asked;
      // Set before other code plans by the clock: the first state may come before the first clock sample.
      clockStore().hint(answer.serverTime + performance.now() - receivedAt);
      return newerState(client.getQueryData<SaleState>(queryKey), answer);
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // An old state is worse than none: the page keeps nothing after the visitor leaves it.
    gcTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const failuresRef = useRef(0);
  const countedAtRef = useRef(0);
  const [nextAt, setNextAt] = useState<number | null>(null);
  const [failures, setFailures] = useState(0);
  const settledAt = Math.max(dataUpdatedAt, errorUpdatedAt);

  const onState = useCallback(
    (state: SaleState) => {
      clockStore().hint(state.serverTime);
      client.setQueryData<SaleState>(queryKey, (known) => newerState(known, state));
    },
    [client, queryKey],
  );
  const isWanted = data !== undefined && data.status !== 'ended' && !isDone;
  const isStreaming = useStateStream(saleId, isWanted, onState);

  useEffect(() => {
    if (isFetching || settledAt === 0) return;
    // Counts each answer once, however often the next request is planned again.
    if (countedAtRef.current !== settledAt) failuresRef.current = error ? failuresRef.current + 1 : 0;
    countedAtRef.current = settledAt;
    setFailures(failuresRef.current);
    const delayMs = pollDelayMs({
      status: data?.status ?? null,
      hasGate: Boolean(data?.gate),
      toStartMs: (data?.startsAt ?? startsAt) - clockStore().now(),
      failures: failuresRef.current,
      retryAfterMs: error instanceof ApiProblem ? error.retryAfterMs : null,
      isStreaming,
      isDone,
      random: Math.random(),
    });
    setNextAt(clockStore().now() + delayMs);
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') void refetch();
    }, delayMs);
    return () => clearTimeout(timer);
  }, [settledAt, isFetching, error, data, startsAt, refetch, isStreaming, isDone]);
  useEffect(() => onReturn(() => void refetch({ cancelRefetch: false })), [refetch]);

  // While the stream brings states, failed polls don't matter.
  return { state: data ?? null, failures: isStreaming ? 0 : failures, nextAt, refresh: () => void refetch() };
}
