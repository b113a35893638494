import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { checkPostgres, checkRedis, ensureDatabase } from './check-servers.mjs';
import { logFile } from './data-dir.mjs';
import { findRedis } from './find-server.mjs';
import { startPostgres } from './postgres.mjs';
import { SHARED_ROOT } from './postgres-binaries.mjs';
import { canReach, postgresUser } from './postgres-user.mjs';
import { startRedis } from './redis.mjs';

/** Every acknowledged purchase survives a killed Redis: measured, this costs 16 % of script throughput. */
const DURABLE_REDIS = { appendonly: 'yes', appendfsync: 'always', save: '' };

/**
 * DATABASE_URL when given, else the embedded Postgres.
 * @param {{ dir: string, logs: string, port: number, password: string, configured?: string, supervisor: ReturnType<typeof import('./supervise.mjs').createSupervisor>, note: (text: string) => void }} options
 * @returns {Promise<string>} the URL of the product's database.
 */
export async function openPostgres({ dir, logs, port, password, configured, supervisor, note }) {
  if (configured) {
    note(`${await checkPostgres(configured)} at ${new URL(configured).host}`);
    return configured;
  }
  const log = logFile(logs, 'postgres');
  const cluster = clusterDir(dir);
  let url = '';
  await supervisor.add({
    name: 'postgres',
    isStore: true,
    logFile: log,
    // SIGINT is Postgres' "fast" shutdown; SIGTERM would wait for every client to leave.
    stopSignal: 'SIGINT',
    async launch(onSpawn) {
      ({ url } = await startPostgres({ dir: cluster, port, password, logFile: log, onSpawn }));
    },
  });
  const databaseUrl = await ensureDatabase(url, 'seckill');
  note(`embedded, port ${port}`);
  return databaseUrl;
}

/**
 * REDIS_URL when given, else a server of our own.
 * @param {{ dir: string, logs: string, port: number, configured?: string, cacheConfigured?: string, supervisor: ReturnType<typeof import('./supervise.mjs').createSupervisor>, note: (text: string) => void, say: (line: string) => void }} options
 * @returns {Promise<string>} its URL.
 */
export async function openRedis({ dir, logs, port, configured, cacheConfigured, supervisor, note, say }) {
  if (cacheConfigured) await checkRedis(cacheConfigured, 'CACHE_REDIS_URL');
  if (configured) {
    const warnings = await checkRedis(configured, 'REDIS_URL');
    note(`at ${new URL(configured).host}${warnings.length ? ` (careful: ${warnings.join('; ')})` : ''}`);
    return configured;
  }
  const binary = findRedis({ say });
  const log = logFile(logs, 'redis');
  await supervisor.add({
    name: 'redis',
    isStore: true,
    logFile: log,
    async launch(onSpawn) {
      await startRedis({
        binary,
        dir: join(dir, 'redis'),
        port,
        logFile: log,
        settings: DURABLE_REDIS,
        onSpawn,
      });
    },
  });
  note(`${binary}, port ${port}`);
  return `redis://127.0.0.1:${port}`;
}

/**
 * `postgres` in the data directory. Below a folder closed to the account Postgres runs as under root (/root, say) it
 * is a link to a folder that account can reach.
 */
function clusterDir(dir) {
  const own = join(dir, 'postgres');
  if (lstatSync(own, { throwIfNoEntry: false })?.isSymbolicLink()) return readlinkSync(own);
  if (existsSync(own)) return own;
  const user = postgresUser();
  if (!user || canReach(dir, user)) return own;
  const elsewhere = join(SHARED_ROOT, `data-${randomBytes(6).toString('hex')}`);
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 });
  const cluster = join(elsewhere, 'postgres');
  symlinkSync(cluster, own);
  return cluster;
}
