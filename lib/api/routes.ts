import 'server-only';
import { otherMethods } from '@/lib/http/other-methods';
import type { Served } from './serve';

type Handle = Served['handle'];
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/**
 * Returns the handlers of a route file: those of its operations, and 405 METHOD_NOT_ALLOWED with `Allow` for every
 * other method.
 * @example export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(serve(contract.listOrders, …));
 */
export function routes(...served: Served[]): Record<Method, Handle> {
  const own = Object.fromEntries(
    // The attached operation lets a test see that each route serves what the contract says, and that none is missing.
    served.map(({ operation, handle }) => [operation.method, Object.assign(handle, { operation })]),
  );
  const methods = served.map(({ operation }) => operation.method);
  // HEAD is handled like GET; the code that sends the answer leaves its body out.
  const head = own.GET && { HEAD: own.GET };
  return { ...otherMethods(...methods), ...own, ...head } as unknown as Record<Method, Handle>;
}
