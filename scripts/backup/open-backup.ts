import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Problem } from '../infra/problem.mjs';
import { type ReadPart, readParts } from './frames';
import { unseal } from './seal';

/**
 * Reads a backup from its beginning to its end and calls `use` for each part, one after the other.
 * @throws Problem if it can't be read, the passphrase is wrong, or it is damaged: then earlier parts were used already.
 */
export async function openBackup(
  file: string,
  passphrase: string,
  use: (part: ReadPart) => Promise<void>,
): Promise<void> {
  try {
    await pipeline(
      createReadStream(file),
      (sealed: AsyncIterable<Buffer>) => unseal(sealed, passphrase),
      createGunzip(),
      async (content: AsyncIterable<Buffer>) => {
        for await (const part of readParts(content)) await use(part);
      },
    );
  } catch (error) {
    const { code, syscall } = error as { code?: string; syscall?: string };
    if (syscall === 'open' || syscall === 'read')
      throw new Problem(
        `The backup can't be read from ${file} (${code}): name a file that you can read with --in.`,
      );
    throw error;
  }
}
