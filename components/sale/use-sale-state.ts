'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { getSaleState } from '@/components/api/sale-api';
import type { SaleState } from '@/components/api/types';
import { clockStore } from '@/components/clock/clock-store';
import { pollDelayMs } from './poll-delay';

export interface LiveSaleState {
  /** The last answer there was; null before the first. */
  state: SaleState | null;
  /** Failed questions in a row; > 0 means the last one got no usable answer. */
  failures: number;
  /** When the next question goes out, server epoch ms; for "retrying in n s". */
  nextAt: number | null;
  refresh: () => void;
}

/**
 * Follows a sale's state, asking by the clock of the sale (see pollDelayMs). Stands still while the tab is hidden and
 * asks at once when it returns.
 */
export function useSaleState(saleId: string, startsAt: number): LiveSaleState {
  const { data, error, dataUpdatedAt, errorUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: ['sale-state', saleId],
    queryFn: async ({ signal }) => {
      const answer = await getSaleState(saleId, signal);
      // Before anybody plans by the clock: the first state may come before the first clock sample.
      clockStore().hint(answer.serverTime);
      return answer;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // An old state is worse than none: nothing is kept once the page is left.
    gcTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const failuresRef = useRef(0);
  const [nextAt, setNextAt] = useState<number | null>(null);
  const [failures, setFailures] = useState(0);
  const settledAt = Math.max(dataUpdatedAt, errorUpdatedAt);

  useEffect(() => {
    if (isFetching || settledAt === 0) return;
    failuresRef.current = error ? failuresRef.current + 1 : 0;
    setFailures(failuresRef.current);
    const delayMs = pollDelayMs({
      status: data?.status ?? null,
      hasGate: Boolean(data?.gate),
      toStartMs: (data?.startsAt ?? startsAt) - clockStore().now(),
      failures: failuresRef.current,
      retryAfterMs: error instanceof ApiProblem ? error.retryAfterMs : null,
      random: Math.random(),
    });
    setNextAt(clockStore().now() + delayMs);
    const ask = () => {
      if (document.visibilityState === 'visible') void refetch();
    };
    const timer = setTimeout(ask, delayMs);
    document.addEventListener('visibilitychange', ask);
    window.addEventListener('online', ask);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
      window.removeEventListener('online', ask);
    };
  }, [settledAt, isFetching, error, data, startsAt, refetch]);

  return { state: data ?? null, failures, nextAt, refresh: () => void refetch() };
}
