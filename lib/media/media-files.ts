import 'server-only';
import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PICTURE_WIDTHS } from '@/lib/contract/words/media';
import { env } from '@/lib/env';
import { type Shrunk, shrinkPicture } from './shrink-picture';

const HASH = /^[0-9a-f]{64}$/;
const FILES = new Set(PICTURE_WIDTHS.flatMap((width) => [`${width}.webp`, `${width}.avif`]));

/** Beside the pictures, in the same file system: a folder goes from one to the other by its name alone. */
const MAKING = '.making';
/** No picture takes as long, so whoever made this one was ended. */
const LEFT_AFTER_MS = 3_600_000;

const folderOf = (hash: string) => join(env().mediaDir, hash);

/** Tells whether the files of a picture are there: they come all at once. */
export const hasMediaFiles = (hash: string): Promise<boolean> =>
  access(folderOf(hash)).then(
    () => true,
    () => false,
  );

/**
 * Makes the files of a picture. They lie in a folder beside until all are written, so that nobody ever sees half of them;
 * of two who write the same at once, the first stays.
 * @param hash of `bytes`. @throws OutageError, or an error of the file system
 */
export async function makeMediaFiles(hash: string, bytes: Uint8Array): Promise<Shrunk> {
  const making = join(env().mediaDir, MAKING);
  const beside = join(making, randomUUID());
  const upload = join(beside, 'upload');
  await mkdir(beside, { recursive: true });
  await removeLeft(making);
  try {
    await writeFile(upload, bytes);
    const shrunk = await shrinkPicture(upload, beside);
    if (shrunk.status !== 'made') return shrunk;
    await rm(upload);
    await rename(beside, folderOf(hash)).catch(async (error: unknown) => {
      if (!(await hasMediaFiles(hash))) throw error;
    });
    return shrunk;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** Removes what processes that were ended have left. */
async function removeLeft(making: string): Promise<void> {
  for (const name of await readdir(making)) {
    const path = join(making, name);
    // Another process may have just finished it.
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LEFT_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Reads one file of a picture, a few hundred KB at most; null if there is none. @param file such as `640.webp` */
export async function readMediaFile(hash: string, file: string): Promise<Buffer<ArrayBuffer> | null> {
  // The names come from an address: only those that we give reach the file system.
  if (!HASH.test(hash) || !FILES.has(file)) return null;
  const handle = await open(join(folderOf(hash), file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (!handle) return null;
  try {
    return (await handle.readFile()) as Buffer<ArrayBuffer>;
  } finally {
    await handle.close();
  }
}
