import 'server-only';
import type { IncomingMessage } from 'node:http';
import type { Reply } from '@/lib/http/reply';
import type { RequestHead } from '@/lib/http/request-head';

/** The head of a request, from either reader. */
export type RawHead = Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders' | 'socket'>;

/** A request that our server has read completely. */
export type DirectRequest = RequestHead & {
  target: string;
  /** Empty without one. */
  body: string;
  raw: RawHead;
};

type Params = Record<string, string>;

/** An operation that our server answers itself, with the function that Next's route handler calls too. */
export type DirectRoute = {
  method: string;
  /** `/api/orders/{orderNo}`, as in the contract. */
  path: string;
  /** Tells whether the server answers this one; without it, it answers all. */
  takes?: (params: Params) => boolean;
  /** Never rejects for a reason of the client's. */
  answer: (request: DirectRequest, params: Params) => Promise<Reply | Response>;
};

export type FoundRoute = { route: DirectRoute; params: Params };

/** Any query: the handlers read it leniently, and one place refuses nonsense. */
const QUERY = String.raw`(?:\?[\x21\x24-\x7e]*)?`;

/**
 * Creates the function that finds the route of a request, or null: then Next answers. As `matchRoute`, it recognizes
 * only the plainest spelling of an address.
 */
export function createDirectRoutes(
  routes: readonly DirectRoute[],
): (method: string | undefined, target: string) => FoundRoute | null {
  const patterns = routes.map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[A-Za-z0-9_-]+)')}${QUERY}$`),
  }));
  return (method, target) => {
    for (const { route, pattern } of patterns) {
      const found = route.method === method ? pattern.exec(target) : null;
      if (!found) continue;
      const params = { ...found.groups };
      return route.takes?.(params) === false ? null : { route, params };
    }
    return null;
  };
}
