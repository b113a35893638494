import 'server-only';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MAX_PICTURE_PIXELS, PICTURE_WIDTHS } from '@/lib/contract/words/media';
import { OutageError } from '@/lib/errors/outage-error';

const run = promisify(execFile);

/** A picture of the most pixels takes a few seconds; a busy machine may need ten times as long. */
const WITHIN_MS = 45_000;

export type Shrunk =
  | { status: 'made'; width: number; height: number }
  | { status: 'not_a_picture' }
  | { status: 'too_many_pixels' };

/**
 * Writes a picture as WebP and AVIF in every width, upright and without metadata, by a process of its own.
 * @param picture path of the upload; @param folder where the files go
 * @returns the size of the largest, in pixels
 * @throws OutageError if it takes too long or nothing can be written
 */
export async function shrinkPicture(picture: string, folder: string): Promise<Shrunk> {
  // Read from disk like the threads for passwords: two bundles hold this module. It gets nothing of our environment.
  const script = join(process.cwd(), 'lib/media/picture-worker.mjs');
  const given = [script, picture, folder, MAX_PICTURE_PIXELS, ...PICTURE_WIDTHS].map(String);
  const options = { env: {} as NodeJS.ProcessEnv, timeout: WITHIN_MS, killSignal: 'SIGKILL' as const };
  const { stdout } = await run(process.execPath, given, options).catch((error: Error) => {
    throw new OutageError(`a picture could not be made smaller: ${error.message}`);
  });
  const result = JSON.parse(stdout) as Shrunk | { status: 'failed'; error: string };
  if (result.status === 'failed') throw new OutageError(`a picture could not be written: ${result.error}`);
  return result;
}
