const OUTAGE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Postgres: shutting down, starting up, too many connections, connection failures
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08001',
  '08003',
  '08006',
  // Prisma: server unreachable, timed out, connection closed, pool timeout
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
]);

const OUTAGE_NAMES = new Set([
  'MaxRetriesPerRequestError',
  'ConnectionClosedError',
  'ReplyTimeoutError',
  'TooManyHashesError',
  'NoWorkerFreeError',
  'StockNotLoadedError',
]);
const OUTAGE_TEXT =
  /Connection is closed|Command aborted due to connection close|Command timed out|Stream isn't writeable|Connection terminated|connection error and is not queryable|^(LOADING|READONLY|MISCONF|OOM|CLUSTERDOWN|TRYAGAIN|MASTERDOWN) |timeout exceeded when trying to connect|Can't reach database/;

/** How Prisma's driver reports a lost connection. The error's own code is then P2010, or there is none. */
const OUTAGE_KINDS = new Set([
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
]);

/**
 * Tells whether `error` says that Redis or Postgres can't be reached or can't serve just now, rather than a bug of
 * ours. Prisma hides what Postgres said: for a server that is starting up it gives P2039, with the reason in `meta`
 * as a plain object.
 */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && saysOutage(error, 0);
}

function saysOutage(error: unknown, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  const { code, originalCode, kind, cause, message, name, meta } = error as Record<string, unknown>;
  for (const said of [code, originalCode]) {
    if (typeof said === 'string' && OUTAGE_CODES.has(said)) return true;
  }
  if (typeof kind === 'string' && OUTAGE_KINDS.has(kind)) return true;
  if (typeof name === 'string' && OUTAGE_NAMES.has(name)) return true;
  if (typeof message === 'string' && OUTAGE_TEXT.test(message)) return true;
  if (error instanceof AggregateError && error.errors.some((inner) => saysOutage(inner, depth + 1)))
    return true;
  const wrapped = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  return saysOutage(wrapped, depth + 1) || saysOutage(cause, depth + 1);
}
