import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { log } from '@/lib/http/log';
import { problemReply } from '@/lib/http/problem';
import { PageFailedError } from './page-cache';
import { problemForReader } from './problem-page';
import { ClientGoneError } from './read-body';
import type { SendReply } from './send-reply';
import { UpstreamDownError } from './upstream';

/** Answers a request that Next did not answer, or whose answer broke off in the middle. */
export function answerFailure(
  send: SendReply,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  // The client hung up, which is also why the request to Next was cut short.
  if (response.destroyed || response.writableEnded) return;
  // Or the client took too long to send its body: it no longer waits for an answer.
  if (error instanceof ClientGoneError) {
    response.destroy();
    return;
  }
  log.error({ path: request.url, err: error }, 'Next failed');
  if (response.headersSent) response.destroy();
  else send(response, problemForReader(request, problemReply(isOutage(error) ? 'UNAVAILABLE' : 'INTERNAL')));
}

const isOutage = (error: unknown) => error instanceof UpstreamDownError || error instanceof PageFailedError;
