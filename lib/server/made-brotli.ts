import 'server-only';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Finds the Brotli form of a body by its tag; null if none was made. */
export type FindBrotli = (tag: string) => Promise<Buffer | null>;

/**
 * Finds what the build compressed (`scripts/infra/compress-static.mjs`), at a level too slow for a server.
 * @param dist Next's build folder
 */
export const brotliMadeIn =
  (dist: string): FindBrotli =>
  (tag) =>
    readFile(join(dist, 'seckill-brotli', `${tag}.br`)).catch(() => null);
