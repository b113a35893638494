import { type Connection, openConnections } from './connection';
import { createTally } from './tally';
import type { LoadResult } from './types';

const GRACE_MS = 5_000;

type ClosedLoop = {
  port: number;
  connections: number;
  requests: readonly string[];
  /** True: after the last request begins again with the first instead of ending. */
  isCyclic: boolean;
  seconds: number;
};

/**
 * Sends as much as the server takes: every connection sends its next request when it has the reply to the last one.
 * Ends after `seconds` or with the last request. Latencies of such a run say little, because a slow server gets fewer
 * requests: see open-loop.ts.
 */
export async function runClosedLoop(options: ClosedLoop): Promise<LoadResult> {
  const { port, requests, isCyclic, seconds } = options;
  let next: (connection: Connection) => void = () => {};
  const connections = await openConnections(port, options.connections, (connection) => next(connection));
  const tally = createTally();
  let at = 0;
  let inFlight = 0;
  const deadline = performance.now() + seconds * 1000;

  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000 + GRACE_MS);
    next = (connection) => {
      const request = isCyclic ? requests[at % requests.length] : requests[at];
      const now = performance.now();
      if (request === undefined || now >= deadline) {
        if (inFlight > 0) return;
        clearTimeout(timer);
        resolve();
        return;
      }
      at += 1;
      inFlight += 1;
      tally.sent();
      connection.send(request, (status) => {
        inFlight -= 1;
        tally.answered(status, performance.now() - now);
        if (connection.isIdle()) next(connection);
        else if (inFlight === 0 && performance.now() >= deadline) resolve();
      });
    };
    for (const connection of connections) next(connection);
  });
  const result = tally.result();
  for (const connection of connections) connection.close();
  return result;
}
