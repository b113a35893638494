import { type EventLoopUtilization, performance } from 'node:perf_hooks';

const WINDOW_MS = 3_000;

/**
 * Creates a meter of how busy this process is: the share of the last 3 s in which its event loop did not wait for
 * something to do. A second of a rush is not yet a load; a process that is held up by others counts as busy.
 * @returns a function to call every half second or so; 0 until it has seen 3 s
 */
export function createBusyMeter(): () => number {
  let marks: { at: number; utilization: EventLoopUtilization }[] = [];
  return () => {
    const at = performance.now();
    const utilization = performance.eventLoopUtilization();
    const from = marks.findLast((mark) => mark.at <= at - WINDOW_MS);
    if (from) marks = marks.slice(marks.indexOf(from));
    marks.push({ at, utilization });
    return from ? performance.eventLoopUtilization(utilization, from.utilization).utilization : 0;
  };
}
