import type { Server } from 'node:http';
import { fileLimit } from './file-limit';
import type { Limits } from './limits';

/** Above this share of the files the process may open, connections make room for others. */
const SHARE_OF_FILES = 0.5;

/**
 * Decides how long a connection without a request stays open. Shoppers who wait for a start keep theirs, so that a
 * press needs no new connection; once many connections are open, idle ones make room. Looks every `checkIntervalMs`
 * and tells node:http, too.
 * @returns reads the time that holds now, ms
 */
export function createIdleTime(server: Server, limits: Limits): () => number {
  const { keepAliveTimeoutMs, crowdedKeepAliveTimeoutMs, roomyConnections } = limits;
  const room = Math.min(roomyConnections, fileLimit() * SHARE_OF_FILES);
  let isCrowded = false;
  const decide = (connections: number) => {
    const wasCrowded = isCrowded;
    isCrowded = connections > room;
    server.keepAliveTimeout = isCrowded ? crowdedKeepAliveTimeoutMs : keepAliveTimeoutMs;
    // node:http has set the longer time for those that are idle already.
    if (isCrowded && !wasCrowded) server.closeIdleConnections();
  };
  const looking = setInterval(
    () => server.getConnections((_error, count) => decide(count)),
    limits.checkIntervalMs,
  );
  looking.unref();
  decide(0);
  return () => server.keepAliveTimeout;
}
