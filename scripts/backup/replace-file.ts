import { existsSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { saysFull } from '../infra/full-disk.mjs';
import { Problem } from '../infra/problem.mjs';

/**
 * Writes a stream to a file that only its owner can read. The file appears whole or not at all.
 * @param mayReplace whether a file of that name may be replaced
 * @returns how many bytes it has.
 */
export async function replaceFile(
  out: string,
  source: AsyncIterable<Buffer>,
  mayReplace: boolean,
): Promise<number> {
  const file = resolve(out);
  demandAbsent(file, mayReplace);
  const half = `${file}.${process.pid}.half`;
  const forget = () => rmSync(half, { force: true });
  const endWith = (signal: NodeJS.Signals) => {
    forget();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.on('SIGINT', endWith).on('SIGTERM', endWith);
  try {
    const handle = await open(half, 'wx', 0o600);
    let bytes = 0;
    try {
      for await (const chunk of source) {
        // One call may write less than all of it.
        for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten;
        bytes += chunk.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    demandAbsent(file, mayReplace);
    await rename(half, file);
    await syncFolder(dirname(file));
    return bytes;
  } catch (error) {
    forget();
    throw inWords(error, file);
  } finally {
    process.off('SIGINT', endWith).off('SIGTERM', endWith);
  }
}

function demandAbsent(file: string, mayReplace: boolean): void {
  if (existsSync(file) && !mayReplace)
    throw new Problem(`${file} exists: name another file, or replace this one with --force.`);
}

/** The new name is on disk only when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

function inWords(error: unknown, file: string): unknown {
  if (saysFull(`${(error as { code?: string }).code} ${error}`))
    return new Problem(
      `The disk with ${file} is full: free some space there, or name a file on another disk.`,
    );
  const code = (error as { code?: string; syscall?: string }).code;
  if (code && ['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOTDIR'].includes(code))
    return new Problem(`${file} cannot be written (${code}): name a file in a folder that you can write to.`);
  return error;
}
