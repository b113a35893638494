import { problem } from './problem';

/** What Next hands to a route; our server refuses any other before. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

type Method = (typeof METHODS)[number];
/** Next makes HEAD of GET. */
type Others<S extends Method> = Exclude<Method, S | ('GET' extends S ? 'HEAD' : never)>;

/**
 * Handlers for the methods an interface does not serve, to be exported beside those it does: 405 METHOD_NOT_ALLOWED with
 * `Allow`, where Next would send a bare 405; OPTIONS is answered with `Allow` alone. A test sees that no route forgets.
 */
export function otherMethods<S extends Exclude<Method, 'HEAD' | 'OPTIONS'>>(
  ...served: S[]
): Record<Others<S>, () => Response> {
  const isServed = new Set<Method>([...served, 'OPTIONS']);
  if (isServed.has('GET')) isServed.add('HEAD');
  const headers = { allow: METHODS.filter((method) => isServed.has(method)).join(', ') };
  const refuse = () => problem('METHOD_NOT_ALLOWED', { headers });
  const tellOptions = () => new Response(null, { status: 204, headers });
  const handlers: Partial<Record<Method, () => Response>> = { OPTIONS: tellOptions };
  for (const method of METHODS) if (!isServed.has(method)) handlers[method] = refuse;
  return handlers as Record<Others<S>, () => Response>;
}
