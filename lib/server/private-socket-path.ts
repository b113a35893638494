import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns a path for a Unix socket in a new folder that only this user can enter: a client that reached the socket
 * would bypass our limits.
 */
export function privateSocketPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'seckill-')), 'next.sock');
}
