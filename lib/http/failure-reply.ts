import { randomUUID } from 'node:crypto';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from './log';
import { problemReply } from './problem';
import type { Reply } from './reply';
import { currentRequestId } from './request-id';

/**
 * Builds the reply to a request whose handling threw: 503 for an unreachable Redis or Postgres, else 500, logged with
 * its id.
 */
export function failureReply(error: unknown, path: string): Reply {
  const requestId = currentRequestId() ?? randomUUID();
  const outage = isOutage(error);
  log.error({ requestId, path, err: error }, outage ? 'dependency down' : 'bug');
  return problemReply(outage ? 'UNAVAILABLE' : 'INTERNAL', { requestId });
}
