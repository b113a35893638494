import { failureReply } from './failure-reply';
import { problem } from './problem';
import { fieldsProblem } from './read-json';
import { toResponse } from './reply';
import { withRequestId } from './request-id';
import { zeroInQuery } from './zero-in-query';

type Handler<P> = (request: Request, params: P) => Promise<Response>;

/**
 * Wraps a route handler: unwraps the parameters, and turns an error into a problem+json. An unreachable Redis or
 * Postgres becomes 503 UNAVAILABLE, anything else 500 INTERNAL, logged with its request id.
 */
export function route<P extends Record<string, string | string[]> = Record<string, never>>(
  handler: Handler<P>,
) {
  const answer = refusingZeros(handler);
  return (request: Request, context: { params: Promise<P> }): Promise<Response> =>
    withRequestId(async () => {
      try {
        return await answer(request, await context.params);
      } catch (error) {
        return toResponse(failureReply(error, new URL(request.url).pathname));
      }
    });
}

/** Wraps a handler so that it sees no zero byte: Postgres can't hold one, and no id has one. */
export function refusingZeros<P extends Record<string, string | string[]>>(handler: Handler<P>): Handler<P> {
  return async (request, params) => {
    if (Object.values(params ?? {}).some((value) => value.includes('\0'))) return problem('NOT_FOUND');
    const zero = zeroInQuery(request.url);
    if (zero !== undefined) return fieldsProblem([{ path: zero, message: 'has a zero byte' }]);
    return handler(request, params);
  };
}
