import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkServers } from './check-servers.mjs';
import { Problem } from './problem.mjs';

const SHOP_SERVERS = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'REDIS_URL',
  'CACHE_REDIS_URL',
  'LOCK_REDIS_URLS',
];

/**
 * The processes that run alone, by the file that each runs from, and the servers that each needs. The other settings
 * are checked by the process itself.
 * @type {Record<string, { role: string, servers: string[] }>}
 */
const ROLES = {
  'seckill-server.mjs': {
    role: 'web',
    servers: SHOP_SERVERS,
  },
  'seckill-worker.mjs': {
    role: 'worker',
    servers: SHOP_SERVERS,
  },
  'seckill-executor.mjs': { role: 'executor', servers: ['DATABASE_URL'] },
};

/** @param {string} file a process's own @returns {string} the role it plays, as in `npm run ROLE`. */
export const roleOf = (file) => ROLES[file].role;

/**
 * Checks what a role finds before it starts: that it is built, and that the servers it needs can be used. Changes
 * nothing.
 * @param {{ dist: string, file: string, env: NodeJS.ProcessEnv }} options `dist`: the build; `file`: the process's own
 * @returns {Promise<string>} what it found; with "careful" where a setting of a server may lose purchases.
 * @throws {Problem} that says what is missing, and what to do.
 */
export async function checkRole({ dist, file, env }) {
  if (!existsSync(join(dist, 'BUILD_ID')) || !existsSync(join(dist, file)))
    throw new Problem('Nothing is built here yet: run npm run build first.');
  const named = ROLES[file].servers.map((name) => [name, env[name]]);
  return checkServers(Object.fromEntries(named), () => {}, 'start that server');
}
