import 'server-only';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { WebServer } from './create-server';

/** After this long the server cuts off unfinished answers; the supervisor kills after 5.5 s. */
const FINISH_WITHIN_MS = 3_500;
const CLOSE_IDLE_EVERY_MS = 50;

type Times = {
  /** How long the server still takes connections, ms; see `DRAIN_MS`. */
  acceptMs?: number;
  /** How long it then waits for its last answers, ms. */
  withinMs?: number;
};

/**
 * Ends a server without losing an answer. From now on every answer closes its connection, so that a balancer keeps
 * none. After `acceptMs` it ends the streams, takes no new connections, finishes the answers under way, then closes. So
 * a purchase that Redis accepted also gets its answer, unless its client is gone.
 */
export async function drain(
  { server, beginDrain, endStreams, closeIdle, closeAll }: WebServer,
  { acceptMs = 0, withinMs = FINISH_WITHIN_MS }: Times = {},
): Promise<void> {
  beginDrain();
  if (acceptMs > 0) await sleep(acceptMs);
  // Only now: before, their readers would come back to this process.
  endStreams();
  // The kernel resets connections that wait to be accepted. Just after a look at the sockets none waits.
  await nextTurn();
  await new Promise<void>((resolve) => {
    const closing = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS);
    const cutOff = setTimeout(closeAll, withinMs);
    server.close(() => {
      clearInterval(closing);
      clearTimeout(cutOff);
      resolve();
    });
  });
}
