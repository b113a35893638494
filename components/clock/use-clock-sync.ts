'use client';

import { useEffect } from 'react';
import { requestAnswer } from '@/components/api/request';
import { clockStore } from './clock-store';
import { onReturn } from './on-return';
import { isFromCache, resyncDelayMs } from './server-clock';

/** The first round trips include the connection's set-up and give poor bounds; the best of this many is good. */
const FIRST_SAMPLES = 4;
const BETWEEN_FIRST_MS = 120;
const AFTER_FAILURE_MS = 2000;

async function measure(saleId: string, signal: AbortSignal): Promise<void> {
  const sentAt = performance.now();
  const { data, headers } = await requestAnswer('GET /api/sales/{saleId}/state', {
    // A new address each time, so that no cache can answer.
    params: { saleId },
    query: { clock: crypto.getRandomValues(new Uint32Array(2)).join('') },
    signal,
    timeoutMs: 5000,
  });
  const receivedAt = performance.now();
  if (!isFromCache(headers)) clockStore().add({ sentAt, receivedAt, serverTime: data.serverTime });
}

/**
 * Keeps the tab's clock in step with the server while a sale page is open. Makes several round trips at first, then
 * repeats until the start, and measures at once when the tab leaves the background or the device wakes from sleep.
 */
export function useClockSync(saleId: string, startsAt: number): void {
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let samples = 0;

    const run = async () => {
      clearTimeout(timer);
      // A hidden page needs no clock; it measures again when it becomes visible.
      if (document.visibilityState === 'hidden') return;
      let delayMs: number;
      try {
        await measure(saleId, controller.signal);
        samples += 1;
        delayMs =
          samples < FIRST_SAMPLES
            ? BETWEEN_FIRST_MS
            : resyncDelayMs(startsAt - clockStore().now(), Math.random());
      } catch {
        // The state poll tells the shopper about the failure; here it is enough to retry later.
        delayMs = AFTER_FAILURE_MS * (1 + 4 * Math.random());
      }
      if (controller.signal.aborted) return;
      clearTimeout(timer);
      timer = setTimeout(run, delayMs);
    };

    const stop = onReturn(() => {
      samples = 0;
      void run();
    });
    void run();
    return () => {
      controller.abort();
      clearTimeout(timer);
      stop();
    };
  }, [saleId, startsAt]);
}
