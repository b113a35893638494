import 'server-only';
import type { Operation } from '@/lib/contract/operation';
import type { ParamOf } from '@/lib/contract/types';
import { route } from '@/lib/http/route';
import type { Served } from './serve';

/**
 * Binds an operation to a handler that authorizes and reads by itself: where the fast path answers with the same reply, or a
 * stream is opened. Everything else uses `serve`.
 */
export const bind = <O extends Operation>(
  operation: O,
  handler: (request: Request, params: Record<ParamOf<O['path']>, string>) => Promise<Response>,
): Served => ({ operation, handle: route<Record<string, string>>(handler) });
