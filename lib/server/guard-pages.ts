import type { IncomingMessage, ServerResponse } from 'node:http';
import { pagePolicy, SECURITY_HEADERS } from './security-headers';

const POLICY = 'content-security-policy';
const HSTS = 'strict-transport-security';
/** A year; names below the shop's are not ours to speak for. */
const HSTS_VALUE = 'max-age=31536000';
/** What may be a page, for all that is known before it is asked for. */
const NO_PAGE = /^\/(?:api|_next)\//;
const IS_PAGE = /^text\/html\b/i;

/**
 * Gives every answer of a handler the headers that keep browsers out of trouble, HSTS where the shop is on https, and every
 * page, errors and "not found" included, the policy of exactly its bytes. A page is held back until it is whole: ours are.
 */
export function guardPages<Q extends IncomingMessage, S extends ServerResponse>(
  handler: (request: Q, response: S) => Promise<void>,
  isSecure: boolean,
): (request: Q, response: S) => Promise<void> {
  return (request, response) => {
    for (const { key, value } of SECURITY_HEADERS) response.setHeader(key, value);
    if (isSecure) response.setHeader(HSTS, HSTS_VALUE);
    if (!NO_PAGE.test(request.url ?? '') && request.headers.rsc === undefined) {
      // The bytes are looked at, so they have to be all there, and as they are.
      request.headers['accept-encoding'] = undefined;
      request.headers['if-none-match'] = undefined;
    }
    holdPages(response, isSecure);
    return handler(request, response);
  };
}

function holdPages(response: ServerResponse, isSecure: boolean): void {
  const { write, end, flushHeaders } = response;
  const parts: Buffer[] = [];
  const isPage = () =>
    !response.headersSent && IS_PAGE.test(String(response.getHeader('content-type') ?? ''));
  const hold = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') parts.push(Buffer.from(chunk, encodingOf(encoding)));
    else if (chunk instanceof Uint8Array) parts.push(Buffer.from(chunk));
  };

  response.flushHeaders = () => {
    if (!isPage()) flushHeaders.call(response);
  };
  response.write = ((chunk: unknown, encoding?: unknown, done?: unknown) => {
    if (!isPage())
      return write.call(response, chunk as Buffer, encoding as BufferEncoding, done as () => void);
    hold(chunk, encoding);
    const told = typeof encoding === 'function' ? encoding : done;
    if (typeof told === 'function') process.nextTick(told as () => void);
    return true;
  }) as typeof write;
  response.end = ((chunk?: unknown, encoding?: unknown, done?: unknown) => {
    if (!isPage()) return end.call(response, chunk as Buffer, encoding as BufferEncoding, done as () => void);
    hold(chunk, encoding);
    const body = Buffer.concat(parts);
    response.setHeader(POLICY, pagePolicy(body.toString('utf8'), isSecure));
    // A question for the head alone has no body to count.
    if (body.length > 0) response.setHeader('content-length', body.length);
    const told = [chunk, encoding, done].find((argument) => typeof argument === 'function');
    return end.call(response, body, 'utf8', told as (() => void) | undefined);
  }) as typeof end;
}

const encodingOf = (encoding: unknown): BufferEncoding =>
  typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8';
