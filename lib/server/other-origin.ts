import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '@/lib/http/reply';
import { matchRoute } from './match-route';
import { isPage, type WirePage } from './wire';

/**
 * Headers that a purchase from another origin may carry beside the usual ones. Our pages need neither; apps and older
 * pages do.
 */
const ALLOWED_HEADERS = 'content-type, x-entry-token';
/** How long a browser may remember the answer to a preflight; none remembers it longer. */
const MAX_AGE_SEC = 7_200;

type OtherOrigin = {
  /** Adds to a purchase's reply what lets the shop's own pages read it. */
  allow: (answer: Reply | WirePage, origin: string | undefined) => Reply | WirePage;
  /** Makes every answer to this request carry the same headers, also Next's. */
  mark: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a browser that asks whether the shop's pages may buy; null: it is no such question, or not theirs. */
  preflight: (request: IncomingMessage, target: string) => Reply | null;
};

/**
 * Lets the pages of one origin buy at another name of the shop (CORS, Fetch standard): exactly that origin, only
 * purchases, never with cookies. Everybody else is told nothing, so browsers keep the answers from them.
 * @param pagesOrigin scheme, host and port of the pages
 */
export function createOtherOrigin(pagesOrigin: string): OtherOrigin {
  const varied = { vary: 'Origin' };
  const allowed = {
    ...varied,
    'access-control-allow-origin': pagesOrigin,
    'access-control-expose-headers': 'Retry-After',
  };
  const headersFor = (origin: string | undefined) => (origin === pagesOrigin ? allowed : varied);
  /** Replies of one kind go on sharing their headers object (`wire.ts`). */
  const forPages = new WeakMap<Reply['headers'], Reply['headers']>();
  const forOthers = new WeakMap<Reply['headers'], Reply['headers']>();

  return {
    allow(reply, origin) {
      // A purchase is answered by a record.
      if (isPage(reply)) return reply;
      const made = origin === pagesOrigin ? forPages : forOthers;
      let headers = made.get(reply.headers);
      if (!headers) {
        headers = { ...reply.headers, ...headersFor(origin) };
        made.set(reply.headers, headers);
      }
      return { ...reply, headers };
    },
    mark({ headers }, response) {
      const more = Object.entries(headersFor(headers.origin)).flat();
      const { writeHead } = response;
      // Not setHeader: that drops a header of the same name which the answer brings.
      response.writeHead = ((status: number, ...given: unknown[]) =>
        writeHead.call(
          response,
          status,
          ...(given.map((one) => (Array.isArray(one) ? [...one, ...more] : one)) as []),
        )) as typeof writeHead;
    },
    preflight({ method, headers }, target) {
      if (method !== 'OPTIONS' || matchRoute('POST', target)?.name !== 'purchase') return null;
      if (headers.origin !== pagesOrigin || headers['access-control-request-method'] !== 'POST') return null;
      return {
        status: 204,
        headers: {
          ...varied,
          'access-control-allow-origin': pagesOrigin,
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': ALLOWED_HEADERS,
          'access-control-max-age': String(MAX_AGE_SEC),
          'cache-control': 'no-store',
        },
        body: '',
      };
    },
  };
}
