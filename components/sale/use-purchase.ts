'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { Attempt, Wish } from '@/components/attempt/attempt';
import { updateAttempt } from '@/components/attempt/attempt-store';
import { clockStore } from '@/components/clock/clock-store';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { sendPurchase } from './send-purchase';

interface Purchase {
  /** Marks the attempt as pending; everything else follows from that mark, also in a tab opened later. */
  buy: (wish: Wish) => void;
  /** When the page sends the next try, server epoch ms; null while none is waiting. */
  retryAt: number | null;
}

/**
 * Returns the gate to send a purchase to; null while the sale is paused, or not open yet. Once it has ended, any will do: the
 * server only says what became of a purchase whose answer was lost.
 */
const gateOf = (state: SaleState | null): string | null =>
  state?.gate ?? (state?.status === 'ended' ? 'over' : null);

/**
 * Sends a pending attempt until it has an answer: after a click, a reload, or a click in another tab that has closed.
 * @param origin another name of the shop that takes purchases; null: the page's own
 */
export function usePurchase(
  saleId: string,
  key: string | null,
  state: SaleState | null,
  attempt: Attempt,
  refresh: () => void,
  origin: string | null,
): Purchase {
  const latest = useRef({ state, refresh });
  const [retryAt, setRetryAt] = useState<number | null>(null);
  useEffect(() => {
    latest.current = { state, refresh };
  });

  useEffect(() => {
    if (!key || !attempt.isPending) return;
    const controller = new AbortController();
    const { signal } = controller;
    void sendPurchase({
      saleId,
      key,
      origin,
      signal,
      gate: () => gateOf(latest.current.state),
      refresh: () => latest.current.refresh(),
      onWait: (waitMs) => setRetryAt(waitMs === null ? null : clockStore().now() + waitMs),
    });
    return () => {
      controller.abort();
      setRetryAt(null);
    };
  }, [saleId, key, origin, attempt.isPending]);

  const buy = useCallback(
    (wish: Wish) => {
      if (!key) return;
      updateAttempt(key, { ...wish, isPending: true, clickedAt: clockStore().now(), refusal: null });
    },
    [key],
  );

  return { buy, retryAt };
}
