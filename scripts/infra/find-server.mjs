import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall } from './apt-install.mjs';
import { Problem } from './problem.mjs';
import { redisVersionProblem } from './redis-version.mjs';

/** Folders with servers that are not on every user's PATH: Debian's nginx is in a folder only root searches. */
const FOLDERS_OF_ADMINISTRATORS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

/** The command of each package manager, and how it installs. */
const MANAGERS = {
  'apt-get': 'apt-get install -y',
  dnf: 'dnf install -y',
  apk: 'apk add',
  pacman: 'pacman -S --noconfirm',
  zypper: 'zypper install -y',
  brew: 'brew install',
};

const REDIS = {
  title: 'Redis',
  names: ['redis-server', 'valkey-server'],
  packages: { 'apt-get': 'redis-server', dnf: 'valkey', pacman: 'valkey' },
  otherwise: 'redis',
  elsewhere: 'install Redis 7.0 or newer from https://redis.io',
  instead: ', or set REDIS_URL',
};

const NGINX = {
  title: 'nginx',
  names: ['nginx'],
  packages: {},
  otherwise: 'nginx',
  elsewhere: 'install it from https://nginx.org',
  instead: '',
};

const PGBOUNCER = {
  title: 'PgBouncer',
  names: ['pgbouncer'],
  packages: {},
  otherwise: 'pgbouncer',
  elsewhere: 'install it from https://www.pgbouncer.org',
  instead: '',
};

/**
 * Seams for tests.
 * @typedef {{ path?: string, isRoot?: boolean, wait?: import('./progress.mjs').Wait }} Seams
 */

/** Finds an installed Redis server; see `find`. @param {Seams} [seams] */
export const findRedis = (seams) => refuseOld(find(REDIS, seams));

/** Finds a Redis server and installs one if need be; see `ensure`. @param {Seams} [seams] */
export const ensureRedis = async (seams) => refuseOld(await ensure(REDIS, seams));

/** Does the same for the tests, which start servers of their own and use no other. @param {Seams} [seams] */
export const ensureRedisForTests = async (seams) => {
  const own = { ...REDIS, instead: '' };
  return refuseOld(await ensure(own, seams), own);
};

/** Finds or installs nginx, which only tests and benchmarks need; see `ensure`. @param {Seams} [seams] */
export const ensureNginx = ({ path = searchedByRoot(), ...seams } = {}) => ensure(NGINX, { path, ...seams });

/** Finds or installs PgBouncer, which only tests need; see `ensure`. @param {Seams} [seams] */
export const ensurePgBouncer = ({ path = searchedByRoot(), ...seams } = {}) =>
  ensure(PGBOUNCER, { path, ...seams });

const searchedByRoot = () => [process.env.PATH ?? '', ...FOLDERS_OF_ADMINISTRATORS].join(delimiter);

/**
 * @returns {string} the full path of the executable.
 * @throws {Problem} with the one thing to do on this machine when there is none.
 */
function find(server, { path = process.env.PATH ?? '', isRoot = process.getuid?.() === 0 } = {}) {
  const found = onPath(server.names, path);
  if (found) return found;
  throw new Problem(`${server.title} is not installed: ${advice(server, path, isRoot)}${server.instead}.`);
}

/** Does the same as `find`, but first installs Debian's server where we may. */
async function ensure(
  server,
  { path = process.env.PATH ?? '', isRoot = process.getuid?.() === 0, wait } = {},
) {
  const apt = onPath(['apt-get'], path);
  if (apt && isRoot && !onPath(server.names, path))
    await aptInstall(apt, packageOf(server, 'apt-get'), {
      title: server.title,
      instead: server.instead,
      wait,
    });
  return find(server, { path, isRoot });
}

const packageOf = ({ packages, otherwise }, manager) => packages[manager] ?? otherwise;

function advice(server, path, isRoot) {
  const manager = Object.keys(MANAGERS).find((name) => onPath([name], path));
  if (!manager) return server.elsewhere;
  const command = `${MANAGERS[manager]} ${packageOf(server, manager)}`;
  if (isRoot || manager === 'brew') return `run "${command}" and start again`;
  if (onPath(['sudo'], path)) return `run "sudo ${command}" and start again`;
  return `have an administrator run "${command}" and start again`;
}

/** Only Redis itself can be too old: Valkey began with 7.2. */
function refuseOld(binary, { instead } = REDIS) {
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  const problem = redisVersionProblem(/^Redis server v=(\S+)/.exec(stdout ?? '')?.[1]);
  if (problem) throw new Problem(`${binary} can't be used (${problem}): install a newer one${instead}.`);
  return binary;
}

/** @param {string[]} names @param {string} [path] @returns {string | undefined} the first executable one. */
export function onPath(names, path = process.env.PATH ?? '') {
  for (const name of names) {
    for (const folder of path.split(delimiter).filter(Boolean)) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Not here.
      }
    }
  }
  return undefined;
}
