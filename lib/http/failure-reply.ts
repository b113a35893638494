import { randomUUID } from 'node:crypto';
import { isOutage } from '@/lib/errors/is-outage';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { log } from './log';
import { problemReply } from './problem';
import type { Reply } from './reply';
import { currentRequestId } from './request-id';

/**
 * Builds the reply to a request whose handling threw: 503 for an unreachable Redis or Postgres, the refusal of a right that was
 * lost meanwhile, else 500. All but the refusal are logged with the request's id.
 */
export function failureReply(error: unknown, path: string): Reply {
  const requestId = currentRequestId() ?? randomUUID();
  if (error instanceof NotAllowedError) return problemReply(error.code, { requestId });
  const outage = isOutage(error);
  log.error({ requestId, path, err: error }, outage ? 'dependency down' : 'bug');
  return problemReply(outage ? 'UNAVAILABLE' : 'INTERNAL', { requestId });
}
