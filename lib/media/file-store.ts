import 'server-only';
import { randomUUID } from 'node:crypto';
import { access, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OutageError } from '@/lib/errors/outage-error';
import type { MediaStore } from './media-store';

/** Keeps the files of pictures in a folder. Several processes and machines may share it. */
export function fileStore(dir: string): MediaStore {
  const pathOf = (name: string) => join(dir, name);
  return {
    write: (name, bytes) =>
      orOutage(async () => {
        const path = pathOf(name);
        await mkdir(dirname(path), { recursive: true });
        // Beside it, in the same file system, so that it appears whole.
        const beside = `${path}.${randomUUID()}`;
        try {
          await writeFile(beside, bytes, { flush: true });
          await rename(beside, path);
        } finally {
          await rm(beside, { force: true });
        }
      }),
    read: (name) => orOutage(() => unlessMissing(readFile(pathOf(name)), null)),
    has: (name) =>
      orOutage(() =>
        unlessMissing(
          access(pathOf(name)).then(() => true),
          false,
        ),
      ),
    remove: (names) =>
      orOutage(async () => {
        for (const name of names) await rm(pathOf(name), { force: true });
        // A folder that another process is filling stays.
        for (const folder of new Set(names.map((name) => dirname(pathOf(name)))))
          await rmdir(folder).catch(() => undefined);
      }),
  };
}

/** Turns a full disk, a missing right or a broken volume into an outage. */
async function orOutage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new OutageError(`pictures can't be stored or read: ${(cause as Error).message}`, { cause });
  }
}

async function unlessMissing<T, M>(found: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing;
    throw error;
  }
}
