import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { log } from '@/lib/http/log';
import { problemReply } from '@/lib/http/problem';
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
  log.error({ path: url, err: error }, 'Next failed');
  if (response.headersSent) response.destroy();
  else send(response, problemReply(error instanceof UpstreamDownError ? 'UNAVAILABLE' : 'INTERNAL'));
}
