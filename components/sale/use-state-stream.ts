'use client';

import { useEffect, useRef, useState } from 'react';
import { openEventStream } from '@/components/api/event-stream';
import { addressOf } from '@/components/api/request';
import { whileVisible } from '@/components/api/while-visible';
import { clockStore } from '@/components/clock/clock-store';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { streamDelayMs } from './stream-delay';

/** After this silence the connection counts as dead: the server sends something every 15 s. */
const SILENCE_MS = 40_000;
/** How long to leave the stream alone after a refusal; the page polls meanwhile. */
const REFUSED = { baseMs: 10_000, capMs: 120_000 };
/** setTimeout can't wait longer than 24.8 days; for sales further away the page checks again after this time. */
const MAX_WAIT_MS = 3_600_000;

/**
 * Follows a sale through the server's events from about a minute before its start, while the page is visible.
 * @param isWanted false: nothing that could still happen to the sale matters to this shopper
 * @param onState called with every state that arrives
 * @returns whether the stream works right now; if not, the page has to poll
 */
export function useStateStream(
  saleId: string,
  startsAt: number,
  isWanted: boolean,
  onState: (state: SaleState) => void,
): boolean {
  const [isHealthy, setIsHealthy] = useState(false);
  const onStateRef = useRef(onState);
  useEffect(() => {
    onStateRef.current = onState;
  });

  useEffect(() => {
    if (!isWanted) return;
    const follow = () => {
      let close: (() => void) | null = null;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const open = () => {
        close = openEventStream<SaleState>({
          url: () => addressOf('GET /api/sales/{saleId}/events', { params: { saleId } }),
          silenceMs: SILENCE_MS,
          refused: REFUSED,
          onMessage: (state, ageMs) => onStateRef.current({ ...state, serverTime: state.serverTime + ageMs }),
          onHealth: setIsHealthy,
        });
      };
      const plan = () => {
        const delayMs = streamDelayMs(startsAt - clockStore().now(), Math.random());
        timer = delayMs > MAX_WAIT_MS ? setTimeout(plan, MAX_WAIT_MS) : setTimeout(open, delayMs);
      };
      plan();
      return () => {
        clearTimeout(timer);
        close?.();
      };
    };
    return whileVisible(follow);
  }, [saleId, startsAt, isWanted]);

  return isHealthy;
}
