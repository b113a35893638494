'use client';

import { useEffect, useRef, useState } from 'react';
import { saleEventsUrl } from '@/components/api/sale-api';
import type { SaleState } from '@/components/api/types';
import { clockStore } from '@/components/clock/clock-store';
import { openStateStream } from './state-stream';
import { streamDelayMs } from './stream-delay';

/** Tabs in the background give their connection back: a browser has six for the whole shop where there is no HTTP/2. */
const HIDDEN_MS = 5000;
/** setTimeout can't wait longer than 24.8 days; far sales are looked at again after a while. */
const MAX_WAIT_MS = 3_600_000;

/**
 * Follows a sale by the server's events from about a minute before its start, while somebody looks at the page.
 * @param isWanted false: nothing that could still happen to the sale matters to this shopper
 * @param onState called with every state that arrives
 * @returns whether it works right now; if not, the page has to ask
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
    let close: (() => void) | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const open = () => {
      close ??= openStateStream(saleEventsUrl(saleId), {
        onState: (state) => onStateRef.current(state),
        onHealth: setIsHealthy,
      });
    };
    const plan = () => {
      const delayMs = streamDelayMs(startsAt - clockStore().now(), Math.random());
      timer = delayMs > MAX_WAIT_MS ? setTimeout(plan, MAX_WAIT_MS) : setTimeout(open, delayMs);
    };
    const shut = () => {
      close?.();
      close = null;
    };
    const onVisibility = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'hidden') timer = setTimeout(shut, HIDDEN_MS);
      else if (!close) plan();
    };
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
      shut();
    };
  }, [saleId, startsAt, isWanted]);

  return isHealthy;
}
