import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';

/** Has this file's tests write mails into a folder of their own. */
export function keepMailsApart() {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'seckill-mail-'));
    vi.stubEnv('MAIL_DIR', dir);
  });
  afterAll(() => rm(dir, { recursive: true, maxRetries: 5 }));
  /** Returns the names of the mails whose name begins so. */
  const named = async (start: string): Promise<string[]> =>
    (await readdir(dir)).filter((name) => name.startsWith(start));
  return {
    named,
    /** Waits for the one mail whose name begins so, and returns its head and text with lines whole, without the HTML. */
    async only(start: string): Promise<string> {
      await expect.poll(() => named(start), { timeout: 60_000 }).toHaveLength(1);
      const [name = ''] = await named(start);
      const [plain = ''] = (await readFile(join(dir, name), 'utf8')).split('Content-Type: text/html');
      return plain.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    },
  };
}
