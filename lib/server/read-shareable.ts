import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

type Shareable = {
  body: Buffer;
  /** Name, value … without those of one transmission. */
  headers: string[];
  contentType: string;
  maxAgeMs: number;
  /** The state of Next's own cache, from its header: MISS, for example. */
  cacheState: string;
  /** False while Next renders the page again in the background: the answer it gives meanwhile is old. */
  isFresh: boolean;
};

const OF_ONE_TRANSMISSION =
  /^(?:content-length|content-encoding|transfer-encoding|etag|last-modified|accept-ranges|date|connection|keep-alive|x-nextjs-cache)$/i;
const SHARED_MAX_AGE = /\bs-maxage=(\d+)/;
/** Files have this: they stay the same as long as this process runs. */
const IS_PUBLIC = /\bpublic\b/;

/**
 * Reads Next's answer to its end if it is a 200 that shared caches may keep and that sets no cookie; returns null for
 * any other, without reading it. @throws the error that breaks the answer off in the middle.
 */
export async function readShareable(answer: IncomingMessage): Promise<Shareable | null> {
  const { statusCode, headers, rawHeaders } = answer;
  const cacheControl = headers['cache-control'] ?? '';
  const maxAge = SHARED_MAX_AGE.exec(cacheControl)?.[1];
  if (statusCode !== 200 || (maxAge === undefined && !IS_PUBLIC.test(cacheControl))) return null;
  if (headers['set-cookie'] !== undefined || headers['content-encoding'] !== undefined) return null;
  const cacheState = String(headers['x-nextjs-cache'] ?? 'MISS');
  return {
    body: await buffer(answer),
    headers: rawHeaders.filter((_, at) => !OF_ONE_TRANSMISSION.test(rawHeaders[at - (at % 2)] ?? '')),
    contentType: headers['content-type'] ?? '',
    maxAgeMs: maxAge === undefined ? Number.POSITIVE_INFINITY : Number(maxAge) * 1000,
    cacheState,
    isFresh: cacheState !== 'STALE',
  };
}
