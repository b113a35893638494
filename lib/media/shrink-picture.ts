import 'server-only';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MAX_PICTURE_PIXELS, PICTURE_WIDTHS } from '@/lib/contract/words/media';
import { OutageError } from '@/lib/errors/outage-error';
import { log } from '@/lib/http/log';

const run = promisify(execFile);

/** A picture of the most pixels takes a few seconds; a busy machine may need ten times as long. */
const WITHIN_MS = 45_000;
/** The six files of a picture have a few hundred KB. */
const MAX_MADE_BYTES = 32 * 1024 * 1024;

type MediaFile = { name: string; bytes: Buffer };
export type Shrunk = { status: 'made'; files: MediaFile[] } | { status: 'not_a_picture' | 'too_many_pixels' };

/**
 * Makes the files of a picture: WebP and AVIF in every width, upright and without metadata. A process of its own decodes
 * it, so that a decoder that crashes, grows or never ends takes nothing else with it.
 * @throws OutageError if it takes too long, or no process can be started
 */
export async function shrinkPicture(picture: Uint8Array): Promise<Shrunk> {
  const script = join(process.cwd(), 'lib/media/shrink-worker.mjs');
  const running = run(process.execPath, [script, ...[MAX_PICTURE_PIXELS, ...PICTURE_WIDTHS].map(String)], {
    // Nothing of ours: no secrets.
    env: {} as NodeJS.ProcessEnv,
    encoding: 'buffer',
    timeout: WITHIN_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_MADE_BYTES,
  });
  // A process that ends early breaks the pipe; its end says more.
  running.child.stdin?.on('error', () => undefined).end(picture);
  try {
    return read((await running).stdout);
  } catch (err) {
    const { killed, signal } = err as { killed?: boolean; signal?: string };
    // Not the error itself: the bytes that were made hang on it.
    log.warn({ signal, reason: (err as Error).message }, 'a picture could not be decoded');
    // The decoder crashed by itself: so it would the next time.
    if (signal && !killed) return { status: 'not_a_picture' };
    throw new OutageError('a picture could not be made smaller', { cause: err });
  }
}

/** Reads what `shrink-worker.mjs` writes. */
function read(output: Buffer): Shrunk {
  const end = output.indexOf('\n');
  const { status, sizes } = JSON.parse(output.subarray(0, end).toString()) as {
    status: Shrunk['status'];
    sizes: [string, number][];
  };
  if (status !== 'made') return { status };
  let from = end + 1;
  const files = sizes.map(([name, size]) => {
    const bytes = output.subarray(from, from + size);
    from += size;
    return { name, bytes };
  });
  return { status, files };
}
