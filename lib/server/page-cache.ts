import 'server-only';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { createBodyEncoder } from './encode-body';
import type { Ticket } from './fair-queue';
import { chooseVariant, type KeptPage, toKeptPage } from './kept-page';
import type { FindBrotli } from './made-brotli';
import { readShareable } from './read-shareable';
import { createSharedTurns, type Refused } from './share-turns';
import { type Place, pathOf, type SiteMap } from './site-map';
import type { WirePage } from './wire';

/** Next's header that says whether a page came from memory. */
const CACHE_STATE = 'x-nextjs-cache';
const MAX_PAGES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** The longest time a page is kept, whatever Next says, so that a lost renewal heals. */
const MAX_KEEP_MS = 3_600_000;

export type KeptPlace = Extract<Place, { kind: 'kept' }> | { kind: 'nothing'; key: string };

/** `missing`: Next knows no such page. `personal`: its answer is for one visitor only. */
type PageAnswer = { page: WirePage } | { refusal: 'missing' | 'personal' } | Refused;

export type PageCache = {
  /** Returns the kept page for a GET of a path, with or without a query; null if none is kept. */
  find: (
    target: string,
    acceptEncoding: string | undefined,
    ifNoneMatch: string | undefined,
  ) => WirePage | null;
  /** Returns the kept page, or asks Next for it. @throws UpstreamDownError, PageFailedError */
  get: (request: Pick<IncomingMessage, 'headers'>, place: KeptPlace, client: string) => Promise<PageAnswer>;
  /** Forgets pages by path (all without one). Pages of them that Next is rendering at this moment are not kept either. */
  forget: (paths?: readonly string[]) => void;
};

/** Next could not make a page. */
export class PageFailedError extends Error {
  override name = 'PageFailedError';
}

type Made = { page: KeptPage; cacheState: string } | { refusal: 'missing' | 'personal' };

/**
 * Keeps prerendered pages and files in memory, in every encoding: those of Next's answers that shared caches may
 * keep. Asks for each only once at a time, however many clients want it and whichever of them hang up.
 * @param ask asks Next for an address, without a visitor's cookies. @param enter takes a client's place in the queue
 *   before Next. @param findBrotli finds files that the build compressed.
 */
export function createPageCache(
  site: SiteMap,
  ask: (path: string) => Promise<IncomingMessage>,
  enter: (client: string) => Ticket,
  findBrotli?: FindBrotli,
): PageCache {
  const encode = createBodyEncoder(undefined, findBrotli);
  const turns = createSharedTurns<Made>(enter);
  const pages = new LRUCache<string, KeptPage>({
    max: MAX_PAGES,
    maxSize: MAX_BYTES,
    sizeCalculation: (page) => page.bytes,
  });
  let generation = 0;

  const make = async ({ kind, key }: KeptPlace): Promise<Made> => {
    const before = generation;
    const answer = await ask(key);
    const shareable = await readShareable(answer);
    if (!shareable) {
      answer.destroy();
      const { statusCode = 0 } = answer;
      if (statusCode >= 500) throw new PageFailedError(`Next answered ${statusCode} for ${key}`);
      return { refusal: statusCode === 404 ? 'missing' : 'personal' };
    }
    const { body, headers, contentType, maxAgeMs, cacheState, isFresh } = shareable;
    const status = kind === 'nothing' ? 404 : 200;
    const page = toKeptPage(await encode(body, contentType), [...headers, CACHE_STATE, 'HIT'], status);
    if (generation === before && isFresh) pages.set(key, page, { ttl: Math.min(maxAgeMs, MAX_KEEP_MS) });
    return { page, cacheState };
  };

  return {
    find(target, acceptEncoding, ifNoneMatch) {
      const { key } = site.find(pathOf(target));
      const page = key === null ? undefined : pages.get(key);
      return page ? chooseVariant(page, acceptEncoding, ifNoneMatch) : null;
    },
    async get({ headers }, place, client) {
      const kept = pages.get(place.key);
      const made = kept
        ? { page: kept, cacheState: 'HIT' }
        : await turns.run(place.key, client, () => make(place));
      if ('refusal' in made) return made;
      const page = chooseVariant(made.page, headers['accept-encoding'], headers['if-none-match']);
      // The first visitor gets the same bytes and headers as all others, with Next's header on where they came from.
      return { page: made.cacheState === 'HIT' ? page : withCacheState(page, made.cacheState) };
    },
    forget(paths) {
      generation += 1;
      if (!paths) {
        pages.clear();
        turns.forget();
      }
      for (const path of paths ?? []) {
        pages.delete(path);
        turns.forget(path);
      }
    },
  };
}

const withCacheState = ({ status, headers, body }: WirePage, state: string): WirePage => ({
  status,
  headers: headers.map((value, at) => (headers[at - 1] === CACHE_STATE ? state : value)),
  body,
});
