import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const SECRETS_FILE = 'secrets.json';

/**
 * Lists what a backup takes from a data directory, as paths in it: the secrets, media, and mails if they are wanted.
 * @param dir data directory
 */
export function listFiles(dir: string, { withMail }: { withMail: boolean }): string[] {
  const roots = [SECRETS_FILE, 'media', ...(withMail ? ['mail'] : [])];
  return roots.flatMap((root) => filesUnder(dir, root));
}

/** Returns none of a folder that has just been removed. */
function namesIn(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function filesUnder(dir: string, path: string): string[] {
  const found = statSync(join(dir, path), { throwIfNoEntry: false });
  if (found?.isFile()) return [path];
  if (!found?.isDirectory()) return [];
  return namesIn(join(dir, path)).flatMap((name) => filesUnder(dir, `${path}/${name}`));
}
