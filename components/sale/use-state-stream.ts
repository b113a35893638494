'use client';

import { useEffect, useRef, useState } from 'react';
import { openEventStream } from '@/components/api/event-stream';
import { addressOf } from '@/components/api/request';
import { whileVisible } from '@/components/api/while-visible';
import type { SaleState } from '@/lib/contract/shapes/sale';

/** After this silence the connection counts as dead: the server sends something every 15 s. */
const SILENCE_MS = 40_000;
/** How long to leave the stream alone after a refusal; the page polls meanwhile. */
const REFUSED = { baseMs: 10_000, capMs: 60_000 };
/** Pages that are opened, or shown again, in the same moment connect within this time. */
const SOON_MS = 2_000;

/**
 * Follows a sale through the server's events while the page is visible: long before its start, too, because the merchant
 * may pause the sale or move its start.
 * @param isWanted false: nothing that could still happen to the sale matters to this shopper
 * @param onState called with every state that arrives
 * @returns whether the stream works right now; if not, the page has to poll
 */
export function useStateStream(
  saleId: string,
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
      const open = () => {
        close = openEventStream<SaleState>({
          url: () => addressOf('GET /api/sales/{saleId}/events', { params: { saleId } }),
          silenceMs: SILENCE_MS,
          refused: REFUSED,
          onMessage: (state, ageMs) => onStateRef.current({ ...state, serverTime: state.serverTime + ageMs }),
          onHealth: setIsHealthy,
        });
      };
      const timer = setTimeout(open, SOON_MS * Math.random());
      return () => {
        clearTimeout(timer);
        close?.();
      };
    };
    return whileVisible(follow);
  }, [saleId, isWanted]);

  return isHealthy;
}
