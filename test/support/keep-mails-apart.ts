import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';

/** Has this file's tests write mails into a folder of their own. @returns its path, known once the tests run */
export function keepMailsApart(): { readonly path: string } {
  const dir = { path: '' };
  beforeAll(async () => {
    dir.path = await mkdtemp(join(tmpdir(), 'seckill-mail-'));
    vi.stubEnv('MAIL_DIR', dir.path);
  });
  afterAll(() => rm(dir.path, { recursive: true, maxRetries: 5 }));
  return dir;
}
