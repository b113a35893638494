import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { log } from '@/lib/http/log';
import { problemReply } from '@/lib/http/problem';
import { PageFailedError } from './page-cache';
import { ClientGoneError } from './read-body';
import type { SendReply } from './send-reply';
import { UpstreamDownError } from './upstream';

/** Answers a request that Next could not be asked about, or that broke off in the middle. */
export function answerFailure(
  send: SendReply,
  error: unknown,
  { url }: IncomingMessage,
  response: ServerResponse,
): void {
  // The client hung up, which is also why Next was not asked to the end.
  if (response.destroyed || response.writableEnded) return;
  // Or it has taken too long over its body: nobody waits for an answer.
  if (error instanceof ClientGoneError) {
    response.destroy();
    return;
  }
  log.error({ path: url, err: error }, 'Next failed');
  if (response.headersSent) response.destroy();
  else send(response, problemReply(isOutage(error) ? 'UNAVAILABLE' : 'INTERNAL'));
}

const isOutage = (error: unknown) => error instanceof UpstreamDownError || error instanceof PageFailedError;
