import { type Connection, openConnections } from './connection';
import { createTally } from './tally';
import type { LoadResult } from './types';

const TICK_MS = 1;
const GIVE_UP_MS = 30_000;

/** Returns the time at which each of `count` requests should be sent: evenly over the window, in ms after its start. */
export function evenSchedule(count: number, windowMs: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => (i * windowMs) / count);
}

type OpenLoop = {
  port: number;
  connections: number;
  requests: readonly string[];
  windowMs: number;
};

/**
 * Sends every request at its own time whether or not earlier ones were answered, and counts the latency from that time.
 * So a request that waits for a connection because the server stalls counts that wait (no coordinated omission; Gil
 * Tene, "How NOT to Measure Latency"). Ends when all are answered, or 30 s after the last request.
 */
export async function runOpenLoop(options: OpenLoop): Promise<LoadResult> {
  const { port, requests, windowMs } = options;
  const idle: Connection[] = [];
  let pump = () => {};
  const onIdle = (connection: Connection) => {
    idle.push(connection);
    pump();
  };
  const connections = await openConnections(port, options.connections, onIdle);
  idle.push(...connections);
  const schedule = evenSchedule(requests.length, windowMs);

  const tally = createTally();
  const from = performance.now();
  let at = 0;
  let answered = 0;
  let sweep: NodeJS.Timeout | undefined;
  let giveUp: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    pump = () => {
      const now = performance.now() - from;
      for (; at < requests.length && (schedule[at] ?? 0) <= now; at += 1) {
        const connection = takeIdle(idle);
        if (!connection) return;
        send(connection, requests[at] ?? '', schedule[at] ?? 0);
      }
    };
    const send = (connection: Connection, request: string, dueMs: number) => {
      tally.sent();
      connection.send(request, (status) => {
        answered += 1;
        tally.answered(status, performance.now() - from - dueMs);
        if (answered === requests.length) resolve();
        else if (connection.isIdle()) onIdle(connection);
      });
    };
    sweep = setInterval(() => pump(), TICK_MS);
    giveUp = setTimeout(resolve, windowMs + GIVE_UP_MS);
    pump();
  });
  clearInterval(sweep);
  clearTimeout(giveUp);
  const result = tally.result();
  for (const connection of connections) connection.close();
  // Requests that never found a connection count as sent, because they were due.
  return { ...result, sent: requests.length, unanswered: requests.length - answered };
}

/**
 * Takes the connection that has been idle for longest, so that the server seldom closes one for idling. One that was
 * closed and has opened again stands in the list twice: a second request on it would lose the answer to the first.
 */
function takeIdle(idle: Connection[]): Connection | undefined {
  for (let first = idle.shift(); first; first = idle.shift()) if (first.isIdle()) return first;
  return undefined;
}
