import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureDatabase } from './ensure-database.mjs';
import { mendAof } from './mend-aof.mjs';
import { startPostgres } from './postgres.mjs';
import { SHARED_ROOT } from './postgres-binaries.mjs';
import { canReach, postgresUser } from './postgres-user.mjs';
import { startRedis } from './redis.mjs';

/** Every acknowledged purchase survives a killed Redis; by measurement this costs 16 % of script throughput. */
const DURABLE_REDIS = { appendonly: 'yes', appendfsync: 'always', save: '' };
/**
 * A port is held until its server is started; another process has only a moment to take it, and will not take three
 * in a row.
 */
const MOST_PORTS = 3;

/**
 * @typedef {object} StoreOptions
 * @property {string} dir data directory
 * @property {string} logs
 * @property {import('./assign-ports.mjs').Ports} ports
 * @property {ReturnType<typeof import('./supervise.mjs').createSupervisor>} supervisor
 * @property {import('./progress.mjs').Note} note
 * @property {import('./progress.mjs').Wait} wait
 */

/**
 * Starts the embedded Postgres and keeps it running.
 * @param {StoreOptions & { password: string }} options
 * @returns {Promise<string>} the URL of the product's database.
 */
export async function openPostgres({ dir, logs, ports, password, supervisor, note, wait }) {
  const logFile = join(logs, 'postgres.log');
  const cluster = clusterDir(join(dir, 'postgres'));
  let url = '';
  const port = await addOnFreePort('postgres', ports, (port) =>
    supervisor.add({
      name: 'postgres',
      isStore: true,
      logFile,
      // SIGINT is Postgres' "fast" shutdown; SIGTERM would wait for every client to leave.
      stopSignal: 'SIGINT',
      async launch(onSpawn, mark) {
        ({ url } = await startPostgres({
          dir: cluster,
          port,
          password,
          logFile,
          onSpawn,
          wait,
          env: mark,
        }));
      },
    }),
  );
  const databaseUrl = await ensureDatabase(url, 'seckill');
  note(`embedded, port ${port}`);
  return databaseUrl;
}

/**
 * Starts a Redis server of our own and keeps it running.
 * @param {StoreOptions & { binary: string }} options
 * @returns {Promise<string>} its URL.
 */
export async function openRedis({ dir, logs, ports, binary, supervisor, note, wait }) {
  const logFile = join(logs, 'redis.log');
  const files = join(dir, 'redis');
  let damage = '';
  const port = await addOnFreePort('redis', ports, (port) =>
    supervisor.add({
      name: 'redis',
      isStore: true,
      logFile,
      async launch(onSpawn, mark) {
        const start = () =>
          startRedis({
            binary,
            dir: files,
            port,
            logFile,
            settings: DURABLE_REDIS,
            onSpawn,
            wait,
            env: mark,
          });
        try {
          await start();
        } catch (error) {
          const mended = mendAof(binary, files);
          if (!mended) throw error;
          damage = mended.isEmpty
            ? `, its damaged files are in ${mended.copy}: it begins empty, the stock comes from Postgres`
            : `, its files were damaged: cut off there, ${mended.copy} is a copy`;
          damage += `. Only Redis had this: ${mended.cut}. All of it: cut-off.json there; what to do: docs/RUNBOOK.md, store_down`;
          await start();
        }
      },
    }),
  );
  note(`${binary}, port ${port}${damage}`);
  return `redis://127.0.0.1:${port}`;
}

/** @returns {Promise<number>} the port the server got in the end. */
async function addOnFreePort(name, ports, add) {
  await ports.release(name);
  let port = ports[name];
  for (let attempt = 1; ; attempt += 1) {
    try {
      await add(port);
      return port;
    } catch (error) {
      if (attempt === MOST_PORTS || !/address already in use/i.test(error.message)) throw error;
      port = await ports.replace(name);
    }
  }
}

/**
 * Returns where the cluster of a data directory is: `own`, or, if the account that Postgres uses under root can't enter
 * a folder above it (/root, for example), a folder which that account can reach and `own` is a link to.
 * @param {string} own its path in the data directory
 */
export function clusterDir(own) {
  if (lstatSync(own, { throwIfNoEntry: false })?.isSymbolicLink()) return readlinkSync(own);
  if (existsSync(own)) return own;
  const user = postgresUser();
  if (!user || canReach(dirname(own), user)) return own;
  const elsewhere = join(SHARED_ROOT, `data-${randomBytes(6).toString('hex')}`);
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 });
  const cluster = join(elsewhere, 'postgres');
  symlinkSync(cluster, own);
  return cluster;
}
