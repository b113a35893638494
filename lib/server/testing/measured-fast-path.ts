/** For tests: runs a web process that reports its memory and its longest busy stretch since the last report. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { countStreams } from '../events-registry';

export type Measured = { rssBytes: number; streams: number; blockedMs: number };

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', (message) => {
  if (message !== 'measure') return;
  const blockedMs = delay.max / 1e6 - RESOLUTION_MS;
  // Runs twice: the second run collects what the first leaves to finalizers.
  globalThis.gc?.();
  globalThis.gc?.();
  delay.reset();
  process.send?.({ rssBytes: process.memoryUsage.rss(), streams: countStreams().all, blockedMs });
});

await import('./fast-path-process');
