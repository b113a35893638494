import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { Problem } from './problem.mjs';

const SERVERS = ['redis-server', 'valkey-server'];

/**
 * Finds a Redis server, installing Debian's when we may.
 * @param {{ path?: string, isRoot?: boolean, say?: (line: string) => void }} [options] seams for tests.
 * @returns {string} the full path of the executable.
 * @throws {Problem} with the one command to run when there is none and we may not install it.
 */
export function findRedis({
  path = process.env.PATH ?? '',
  isRoot = process.getuid?.() === 0,
  say = () => {},
} = {}) {
  const found = onPath(SERVERS, path);
  if (found) return found;
  const apt = onPath(['apt-get'], path);
  if (apt && isRoot) {
    say('Redis is not installed: installing it with apt-get');
    aptInstall(apt, ['redis-server']);
    const installed = onPath(SERVERS, path);
    if (installed) return installed;
    throw new Problem(
      'Redis could not be installed with apt-get: install redis-server yourself, or set REDIS_URL.',
    );
  }
  throw new Problem(
    `Redis is not installed: run "${installCommand(apt)}" and start again, or set REDIS_URL.`,
  );
}

function installCommand(apt) {
  if (apt) return 'sudo apt-get install -y redis-server';
  if (platform() === 'darwin') return 'brew install redis';
  if (existsSync('/etc/alpine-release')) return 'apk add redis';
  if (existsSync('/etc/redhat-release')) return 'sudo dnf install -y redis || sudo dnf install -y valkey';
  return 'sudo apt-get install -y redis-server';
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
 * redis-server, which would outlive us.
 * @param {string} apt @param {string[]} packages @returns {boolean}
 */
export function aptInstall(apt, packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options = { env, stdio: 'ignore' };
  spawnSync(apt, ['update'], options);
  const run = spawnSync(apt, ['install', '-y', '--no-install-recommends', ...packages], options);
  return run.status === 0;
}
