import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const SECRETS_FILE = 'secrets.json';

/**
 * Lists what a backup takes from a data directory, as paths in it: the secrets, media, and mails if they are wanted.
 * Leaves out names that begin with a point: pictures that are being made, which may be gone in a moment.
 * @param dir data directory
 */
export function listFiles(dir: string, { withMail }: { withMail: boolean }): string[] {
  const roots = [SECRETS_FILE, 'media', ...(withMail ? ['mail'] : [])];
  return roots.flatMap((root) => filesUnder(dir, root));
}

function filesUnder(dir: string, path: string): string[] {
  const found = statSync(join(dir, path), { throwIfNoEntry: false });
  if (found?.isFile()) return [path];
  if (!found?.isDirectory()) return [];
  return readdirSync(join(dir, path))
    .filter((name) => !name.startsWith('.'))
    .sort()
    .flatMap((name) => filesUnder(dir, `${path}/${name}`));
}
