import { problem } from './problem';

/** The methods that Next hands to a route. Our server refuses all others before. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

type Method = (typeof METHODS)[number];
/** Next derives HEAD from GET. */
type Others<S extends Method> = Exclude<Method, S | ('GET' extends S ? 'HEAD' : never)>;

/**
 * Builds handlers for the methods an interface does not serve, to export beside its own. They answer 405
 * METHOD_NOT_ALLOWED with `Allow`, where Next would send a bare 405, and OPTIONS with `Allow` alone. A test checks
 * that no route forgets them.
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
