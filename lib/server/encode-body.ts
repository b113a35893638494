import 'server-only';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { FindBrotli } from './made-brotli';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A body in the encodings browsers accept, and a tag for its bytes. */
export type EncodedBody = { tag: string; encodings: Partial<Record<Encoding, Buffer>>; bytes: number };

type EncodeBody = (body: Buffer, contentType: string) => Promise<EncodedBody>;

const MAX_KNOWN_BYTES = 32 * 1024 * 1024;
const MIN_COMPRESSED_BYTES = 1_024;
/** The best ratio that still takes only a few milliseconds per page. */
const BEST_QUALITY = 9;
const IS_TEXT = /^(?:text\/|image\/svg|application\/(?:[\w.+-]*json|javascript|xml))/i;

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/**
 * Compresses bodies one after the other in a thread of its own, so that nothing else in this process waits for it.
 * Compresses equal bytes only once, however often they come.
 * @param quality of Brotli, 1 to 11. @param findBrotli finds what was compressed before, with more time.
 */
export function createBodyEncoder(
  quality: number = BEST_QUALITY,
  findBrotli: FindBrotli = async () => null,
): EncodeBody {
  const oneByOne = pLimit(1);
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } };
  const known = new LRUCache<string, EncodedBody>({
    maxSize: MAX_KNOWN_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });
  return async (body, contentType) => {
    // 45 KB take 40 µs.
    const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    const found = known.get(tag);
    if (found) return found;
    const encodings: EncodedBody['encodings'] = { identity: body };
    if (body.length >= MIN_COMPRESSED_BYTES && IS_TEXT.test(contentType)) {
      const made = await findBrotli(tag);
      [encodings.br, encodings.gzip] = await oneByOne(() =>
        Promise.all([made ?? brotli(body, options), zip(body)]),
      );
    }
    const bytes = Object.values(encodings).reduce((sum, { length }) => sum + length, 0);
    const encoded = { tag, encodings, bytes };
    known.set(tag, encoded);
    return encoded;
  };
}
