import 'server-only';
import pLimit from 'p-limit';
import sharp from 'sharp';

/**
 * Drawing is the only costly work here: 11 ms of CPU a picture on two busy cores. Two at a time leave threads to
 * other requests; 64 waiting are a third of a second of work. Further requests are asked to come again.
 */
const AT_ONCE = 2;
const MAX_WAITING = 64;

const limit = pLimit(AT_ONCE);

// One thread per picture: pictures are small, and several are drawn side by side. No picture is drawn twice.
sharp.concurrency(1);
sharp.cache(false);

/** Draws when its turn comes; null, without drawing, if too many are waiting already. */
export async function render<T>(draw: () => Promise<T>): Promise<T | null> {
  if (limit.activeCount + limit.pendingCount >= AT_ONCE + MAX_WAITING) return null;
  return limit(draw);
}

/**
 * Encodes a picture or sound into the answer itself, so that it needs no second request that would have to be guarded
 * too.
 */
export const dataUrl = (type: 'image/png' | 'image/jpeg' | 'audio/wav', bytes: Buffer): string =>
  `data:${type};base64,${bytes.toString('base64')}`;
