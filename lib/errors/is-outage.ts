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
]);
const OUTAGE_TEXT =
  /Connection is closed|Command aborted due to connection close|Command timed out|Stream isn't writeable|Connection terminated|^(LOADING|READONLY|MISCONF|CLUSTERDOWN|TRYAGAIN|MASTERDOWN) |timeout exceeded when trying to connect|Can't reach database/;

/** Whether `error` says that Redis or Postgres can't be reached or can't serve just now, rather than a bug of ours. */
export function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  const { code, cause, message, name } = error as Error & { code?: unknown };
  if (typeof code === 'string' && OUTAGE_CODES.has(code)) return true;
  if (OUTAGE_NAMES.has(name) || OUTAGE_TEXT.test(message)) return true;
  if (error instanceof AggregateError && error.errors.some((inner) => isOutage(inner, depth + 1)))
    return true;
  return isOutage(cause, depth + 1);
}
