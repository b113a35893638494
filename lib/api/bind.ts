import 'server-only';
import type { Operation } from '@/lib/contract/operation';
import type { ParamOf } from '@/lib/contract/types';
import { type Served, served } from './serve';

/**
 * Binds an operation to a handler that authorizes and reads the request itself: where the fast path gives the same
 * answer, or a stream is opened. All other operations use `serve`, and so does what asks again.
 */
export const bind = <O extends Operation & { asksAgain?: never }>(
  operation: O,
  handler: (request: Request, params: Record<ParamOf<O['path']>, string>) => Promise<Response>,
): Served => served(operation, handler);
