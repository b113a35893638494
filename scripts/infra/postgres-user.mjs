import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Problem } from './problem.mjs';

/**
 * Returns the account for Postgres, which refuses to run as root: `postgres`, created if missing.
 * @returns {{ uid: number, gid: number } | undefined} undefined when we are not root.
 */
export function postgresUser() {
  if (process.getuid?.() !== 0) return undefined;
  const existing = lookUp('postgres');
  if (existing) return existing;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], {
      stdio: 'ignore',
    });
  } catch {
    // Alpine and macOS have no useradd; the next line tells the user what to do.
  }
  const created = lookUp('postgres');
  if (created) return created;
  throw new Problem(
    'Postgres does not run as root and the account "postgres" could not be created: start as another user, or set DATABASE_URL.',
  );
}

function lookUp(name) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/**
 * Says whether `user` may enter every folder on the way to `path`: a checkout in /root is closed to all other users.
 * @param {string} path
 * @param {{ uid: number, gid: number }} user
 */
export function canReach(path, user) {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const info = statSync(folder, { throwIfNoEntry: false });
    if (info) {
      const shift = info.uid === user.uid ? 6 : info.gid === user.gid ? 3 : 0;
      if (((info.mode >> shift) & 1) === 0) return false;
    }
    if (folder === dirname(folder)) return true;
  }
}
