import { isOutageError } from './outage-error';

const OUTAGE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Prisma: server unreachable, timed out, connection closed, pool timeout
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
]);

/**
 * The classes of SQLSTATE that blame the server, the connection or what else goes on, and not the statement:
 * connection, transaction state (read-only), login, database name, rollback (deadlock, serialization), resources
 * (disk, memory, connections), object in use (lock time-out), intervention (statement time-out, shutdown), system, and
 * Postgres's own faults. Source: PostgreSQL manual, appendix A.
 */
const OUTAGE_CLASSES = new Set(['08', '25', '28', '3D', '40', '53', '55', '57', '58', 'XX']);

/** The code of a broken protocol. A pooler gives it for everything, so its text decides. */
const PROTOCOL_VIOLATION = '08P01';

/**
 * The first word of Redis's reply when Redis can't serve now. Redis guarantees these words, but not the text after
 * them.
 */
const OUTAGE_REPLIES = new Set([
  'LOADING',
  'READONLY',
  'MISCONF',
  'OOM',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'MASTERDOWN',
  // A cluster that moves slots for longer than we follow it.
  'MOVED',
  'ASK',
  // Too few replicas are connected (`min-replicas-to-write`).
  'NOREPLICAS',
  // A script runs for too long.
  'BUSY',
  // The login is refused.
  'NOAUTH',
  'WRONGPASS',
]);

/** ioredis has a class for this error but does not export it. */
const MAX_RETRIES = 'MaxRetriesPerRequestError';

/**
 * For these failures ioredis (the first two lines), a pooler and pg throw a plain `Error` without a code, so only the text tells
 * them apart.
 */
const DRIVER_TEXTS = [
  /Connection is closed|Command aborted due to connection close|Command timed out|Stream isn't writeable/,
  /None of startup nodes is available|Failed to refresh slots cache|Too many Cluster redirections|Cluster isn't ready|Cluster is ended|All sentinels are unreachable/,
  // PgBouncer says with one code, that of a broken protocol, that Postgres is away, starts, or has no connection free.
  /server_login_retry|query_wait_timeout|server conn crashed|cannot connect to server|no more connections allowed|bouncer is shutting down/,
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|Query read timeout/,
] as const;

/** How Prisma's driver names a lost connection. The error's own code is then P2010, or it has none. */
const OUTAGE_KINDS = new Set([
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
]);

/**
 * Tells whether `error` means that Redis or Postgres can't be reached or can't serve just now, rather than a bug of
 * ours. Prisma hides Postgres's own error: for a server that is starting up it gives P2039, with the reason in `meta`
 * as a plain object.
 */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && saysOutage(error, 0);
}

function saysOutage(error: unknown, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  if (isOutageError(error)) return true;
  const { code, errorCode, originalCode, kind, cause, message, name, meta } = error as Record<
    string,
    unknown
  >;
  for (const said of [code, errorCode, originalCode]) {
    if (typeof said === 'string' && codeSaysOutage(said)) return true;
  }
  if (typeof kind === 'string' && OUTAGE_KINDS.has(kind)) return true;
  if (name === MAX_RETRIES) return true;
  if (typeof message === 'string' && textSaysOutage(message)) return true;
  if (error instanceof AggregateError && error.errors.some((inner) => saysOutage(inner, depth + 1)))
    return true;
  const wrapped = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  return saysOutage(wrapped, depth + 1) || saysOutage(cause, depth + 1);
}

function codeSaysOutage(code: string): boolean {
  if (OUTAGE_CODES.has(code)) return true;
  return /^[0-9A-Z]{5}$/.test(code) && code !== PROTOCOL_VIOLATION && OUTAGE_CLASSES.has(code.slice(0, 2));
}

function textSaysOutage(message: string): boolean {
  const [, reply = ''] = /^([A-Z]+) /.exec(message) ?? [];
  return OUTAGE_REPLIES.has(reply) || DRIVER_TEXTS.some((text) => text.test(message));
}
