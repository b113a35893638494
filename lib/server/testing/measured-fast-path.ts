/** For tests: a web process that says what it holds, and how long it was busy at a stretch since it was last asked. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { countStreams } from '../events-registry';

export type Measured = { rssBytes: number; streams: number; blockedMs: number };

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', (message) => {
  if (message !== 'measure') return;
  const blockedMs = delay.max / 1e6 - RESOLUTION_MS;
  // Twice: what the first leaves to finalizers the second takes.
  globalThis.gc?.();
  globalThis.gc?.();
  delay.reset();
  process.send?.({ rssBytes: process.memoryUsage.rss(), streams: countStreams().all, blockedMs });
});

await import('./fast-path-process');
