import 'server-only';
import type { WebServer } from './create-server';

/** After this long the server cuts off unfinished answers; the supervisor kills after 5.5 s. */
const FINISH_WITHIN_MS = 3_500;
const CLOSE_IDLE_EVERY_MS = 50;

/**
 * Ends a server without losing an answer: takes no new connections, finishes the answers under way, then closes. So a
 * purchase that Redis accepted also gets its answer, unless its client is gone.
 */
export function drain(
  { server, beginDrain, closeIdle, closeAll }: WebServer,
  withinMs: number = FINISH_WITHIN_MS,
): Promise<void> {
  return new Promise((resolve) => {
    beginDrain();
    const closing = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS);
    const cutOff = setTimeout(closeAll, withinMs);
    server.close(() => {
      clearInterval(closing);
      clearTimeout(cutOff);
      resolve();
    });
  });
}
