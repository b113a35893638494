import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { Problem } from './problem.mjs';

/** Where servers are found that are not on everybody's PATH: Debian's nginx is in a folder only root searches. */
const FOLDERS_OF_ADMINISTRATORS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

/** A mirror that does not answer must not hang a start or a test run. */
const APT_TIMEOUT_MS = 300_000;

const REDIS = {
  title: 'Redis',
  names: ['redis-server', 'valkey-server'],
  packages: {
    apt: 'redis-server',
    brew: 'redis',
    apk: 'redis',
    dnf: 'redis || sudo dnf install -y valkey',
  },
  instead: ', or set REDIS_URL',
};

const NGINX = {
  title: 'nginx',
  names: ['nginx'],
  packages: { apt: 'nginx', brew: 'nginx', apk: 'nginx', dnf: 'nginx' },
  instead: '',
};

/**
 * Seams for tests.
 * @typedef {{ path?: string, isRoot?: boolean, say?: (line: string) => void }} Seams
 */

/** A Redis server; see `findServer`. @param {Seams} [seams] */
export const findRedis = (seams) => findServer(REDIS, seams);

/** nginx, which only tests and benchmarks need; see `findServer`. @param {Seams} [seams] */
export const findNginx = ({ path = searchedByRoot(), ...seams } = {}) =>
  findServer(NGINX, { path, ...seams });

const searchedByRoot = () => [process.env.PATH ?? '', ...FOLDERS_OF_ADMINISTRATORS].join(delimiter);

/**
 * Finds a server, installing Debian's when we may.
 * @returns {string} the full path of the executable.
 * @throws {Problem} with the one command to run when there is none and we may not install it.
 */
function findServer(
  { title, names, packages, instead },
  { path = process.env.PATH ?? '', isRoot = process.getuid?.() === 0, say = () => {} } = {},
) {
  const found = onPath(names, path);
  if (found) return found;
  const apt = onPath(['apt-get'], path);
  if (apt && isRoot) {
    say(`${title} is not installed: installing it with apt-get`);
    aptInstall(apt, [packages.apt]);
    const installed = onPath(names, path);
    if (installed) return installed;
    throw new Problem(
      `${title} could not be installed with apt-get: install ${packages.apt} yourself${instead}.`,
    );
  }
  throw new Problem(
    `${title} is not installed: run "${installCommand(packages, apt)}" and start again${instead}.`,
  );
}

function installCommand(packages, apt) {
  if (apt) return `sudo apt-get install -y ${packages.apt}`;
  if (platform() === 'darwin') return `brew install ${packages.brew}`;
  if (existsSync('/etc/alpine-release')) return `apk add ${packages.apk}`;
  if (existsSync('/etc/redhat-release')) return `sudo dnf install -y ${packages.dnf}`;
  return `sudo apt-get install -y ${packages.apt}`;
}

/** @param {string[]} names @param {string} path @returns {string | undefined} the first that can be executed. */
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

/**
 * Installs Debian packages without asking. Run level 1 keeps invoke-rc.d from starting the distribution's own
 * servers, which would outlive us.
 * @param {string} apt @param {string[]} packages @returns {boolean}
 */
export function aptInstall(apt, packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options = { env, stdio: 'ignore', timeout: APT_TIMEOUT_MS };
  spawnSync(apt, ['update'], options);
  const run = spawnSync(apt, ['install', '-y', '--no-install-recommends', ...packages], options);
  return run.status === 0;
}
