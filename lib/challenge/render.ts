import 'server-only';
import pLimit from 'p-limit';
import sharp from 'sharp';

/**
 * Drawing is the only thing here that costs CPU: 11 ms a picture on two busy cores. Two at a time leave threads to
 * everybody else; 64 waiting are a third of a second of work. More are told to come again.
 */
const AT_ONCE = 2;
const MAX_WAITING = 64;

const limit = pLimit(AT_ONCE);

// One thread per picture: they are small, and several are drawn side by side. Nothing is ever drawn twice.
sharp.concurrency(1);
sharp.cache(false);

/** Draws when it is its turn; null, without having drawn, when too many wait already. */
export async function render<T>(draw: () => Promise<T>): Promise<T | null> {
  if (limit.activeCount + limit.pendingCount >= AT_ONCE + MAX_WAITING) return null;
  return limit(draw);
}

/** A picture or sound as the page takes it, without another request that would have to be guarded as well. */
export const dataUrl = (type: 'image/png' | 'image/jpeg' | 'audio/wav', bytes: Buffer): string =>
  `data:${type};base64,${bytes.toString('base64')}`;
