import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For a Unix socket in a new folder that only this user can enter: whoever reaches it has passed by our limits. */
export function privateSocketPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'seckill-')), 'next.sock');
}
