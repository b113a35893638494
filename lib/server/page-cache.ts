import 'server-only';
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { readShareable, type Shareable } from './read-shareable';
import { withScriptHashes } from './script-hashes';
import { relay, type Upstream } from './upstream';
import type { WirePage } from './wire';

const MAX_PAGES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Longest time a page is kept whatever Next says, so that a lost renewal heals. */
const MAX_KEEP_MS = 3_600_000;
const MIN_COMPRESSED_BYTES = 1_024;
/** The best ratio that still takes a few milliseconds per page. */
const BROTLI_QUALITY = 9;

type Encoding = 'br' | 'gzip' | 'identity';
type Variant = WirePage;
type Page = {
  tag: string;
  notModified: WirePage;
  variants: Partial<Record<Encoding, Variant>>;
  bytes: number;
};

const NOTHING = Buffer.alloc(0);

export type PageCache = {
  /** A kept page for a GET that `isForEverybody`, or null. */
  find: (
    path: string,
    acceptEncoding: string | undefined,
    ifNoneMatch: string | undefined,
  ) => WirePage | null;
  /** Answers a GET for a page; false if the request is not for the whole page as everybody sees it. */
  answer: (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
  /** Forgets pages by path (all without one). What Next is rendering of them at this moment is not kept either. */
  forget: (paths?: readonly string[]) => void;
};

/**
 * Prerendered pages in memory: what Next answered once, if it said that shared caches may keep it, in every encoding.
 * Nothing is read from Next's build folder and nothing is known of its pages: its headers decide.
 */
export function createPageCache(
  ask: Upstream['ask'],
  onFailure: (error: unknown, request: IncomingMessage, response: ServerResponse) => void,
): PageCache {
  const pages = new LRUCache<string, Page>({
    max: MAX_PAGES,
    maxSize: MAX_BYTES,
    sizeCalculation: (page) => page.bytes,
  });
  let generation = 0;

  const render = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const before = generation;
    const { 'accept-encoding': encodings, 'if-none-match': wanted } = request.headers;
    // Next is to answer in full and uncompressed: this answer is for everybody.
    request.headers['accept-encoding'] = undefined;
    request.headers['if-none-match'] = undefined;
    const answer = await ask(request, response);
    const shareable = await readShareable(answer);
    if (!shareable) {
      relay(answer, response);
      return;
    }
    const page = toPage(shareable);
    if (generation === before && shareable.isFresh) {
      pages.set(path, page, { ttl: Math.min(shareable.maxAgeMs, MAX_KEEP_MS) });
    }
    // The first visitor gets the same bytes and headers as all the others, with Next's word on where they came from.
    send(response, choose(page, encodings, wanted), shareable.cacheState);
  };

  const find: PageCache['find'] = (path, acceptEncoding, ifNoneMatch) => {
    const page = pages.get(path);
    return page ? choose(page, acceptEncoding, ifNoneMatch) : null;
  };

  return {
    find,
    answer(request, response, path) {
      const { headers } = request;
      if (!isForEverybody(request)) return false;
      const page = find(path, headers['accept-encoding'], headers['if-none-match']);
      if (page) send(response, page, 'HIT');
      else render(request, response, path).catch((error: unknown) => onFailure(error, request, response));
      return true;
    },
    forget(paths) {
      generation += 1;
      if (!paths) pages.clear();
      else for (const path of paths) pages.delete(path);
    },
  };
}

/** Not a fragment for Next's client router, not a preview, not Next's own business. */
function isForEverybody({ headers }: IncomingMessage): boolean {
  if (headers.rsc !== undefined || headers.range !== undefined || headers['next-action'] !== undefined)
    return false;
  if (headers['next-router-prefetch'] !== undefined || headers['next-router-state-tree'] !== undefined)
    return false;
  if (headers['x-prerender-revalidate'] !== undefined || headers['transfer-encoding'] !== undefined)
    return false;
  return !headers.cookie?.includes('__prerender_bypass');
}

function send(response: ServerResponse, { status, headers, body }: WirePage, cacheState: string): void {
  const isAsKept = cacheState === 'HIT' || status !== 200;
  response.writeHead(status, isAsKept ? [...headers] : [...headers.slice(0, -1), cacheState]);
  response.end(body);
}

function choose(page: Page, accepted: string | undefined, wanted: string | undefined): WirePage {
  if (wanted?.includes(page.tag)) return page.notModified;
  const variant = page.variants[chooseEncoding(accepted ?? '', page)] ?? page.variants.identity;
  if (!variant) throw new Error('a page without a body');
  return variant;
}

function chooseEncoding(text: string, page: Page): Encoding {
  if (page.variants.br && accepts(text, 'br')) return 'br';
  return page.variants.gzip && accepts(text, 'gzip') ? 'gzip' : 'identity';
}

function accepts(text: string, encoding: string): boolean {
  const at = text.indexOf(encoding);
  return at !== -1 && !/^\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/.test(text.slice(at + encoding.length));
}

function toPage({ body, headers: given }: Shareable): Page {
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const base = withScriptHashes(given, body);
  const variants: Page['variants'] = {};
  let bytes = body.length;
  const add = (encoding: Encoding, encoded: Buffer) => {
    bytes += encoded.length;
    const isPlain = encoding === 'identity';
    variants[encoding] = {
      status: 200,
      body: encoded,
      headers: [
        ...base,
        ...(isPlain ? [] : ['Content-Encoding', encoding]),
        ...['ETag', isPlain ? `"${tag}"` : `"${tag}-${encoding}"`, 'Content-Length', String(encoded.length)],
        ...['x-nextjs-cache', 'HIT'],
      ],
    };
  };
  add('identity', body);
  if (body.length >= MIN_COMPRESSED_BYTES) {
    add('br', brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }));
    add('gzip', gzipSync(body));
  }
  const notModified = { status: 304, headers: [...base, 'ETag', `"${tag}"`], body: NOTHING };
  return { tag, notModified, variants, bytes };
}
