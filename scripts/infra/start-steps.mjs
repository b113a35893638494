import { join } from 'node:path';
import { assignPorts } from './assign-ports.mjs';
import { buildWhenChanged } from './build-when-changed.mjs';
import { bundleParts } from './bundle-parts.mjs';
import { checkServers } from './check-servers.mjs';
import { dataDir } from './data-dir.mjs';
import { ensureDependencies } from './ensure-dependencies.mjs';
import { ensureRedis } from './find-server.mjs';
import { generateClient } from './generate-client.mjs';
import { partCommands, TYPESCRIPT } from './part-commands.mjs';
import { partMark } from './part-mark.mjs';
import { Problem } from './problem.mjs';
import { logSize } from './read-log.mjs';
import { runToEnd } from './run-to-end.mjs';
import { writeRuntime } from './runtime-file.mjs';
import { secrets as loadSecrets } from './secrets.mjs';
import { isExecutorEmbedded, ownOrigin, partEnv } from './settings.mjs';
import { spawnNode } from './spawn-logged.mjs';
import { takeStartLock } from './start-lock.mjs';
import { openPostgres, openRedis } from './stores.mjs';
import { waitUntilReady } from './wait-until-ready.mjs';

/** The demo's passwords are public, so it is reachable only from this machine unless SECKILL_HOST says otherwise. */
const DEMO_HOST = '127.0.0.1';
/** The settings that name servers of the user's own. */
const SERVERS = ['DATABASE_URL', 'DATABASE_REPLICA_URLS', 'REDIS_URL', 'CACHE_REDIS_URL', 'LOCK_REDIS_URLS'];
/** Placeholders for stores that do not run yet. */
const ANY_POSTGRES = 'postgres://localhost/any';
const ANY_REDIS = 'redis://localhost';

/**
 * @typedef {{ root: string, isDev: boolean, isDemo: boolean, env: NodeJS.ProcessEnv, step:
 *   ReturnType<import('./progress.mjs').progress>['step'] }} Wanted what is to be started, and how its steps are shown
 * @typedef {Wanted & { dir: string, logs: string, secrets: ReturnType<typeof loadSecrets>, ports:
 *   import('./assign-ports.mjs').Ports }} Start
 * @typedef {ReturnType<typeof import('./supervise.mjs').createSupervisor>} Supervisor
 */

/**
 * Takes the data directory and the ports for this start alone.
 * @param {Wanted} wanted @param {(release: () => void) => void} onLock called as soon as there is a lock to release
 * @returns {Promise<Start>}
 */
export async function takeDirAndPorts(wanted, onLock) {
  const { root, env, step } = wanted;
  const folders = await step('Data directory', async (note) => {
    const { dir, logs } = dataDir(root, env.SECKILL_DATA_DIR);
    const { release, orphans } = await takeStartLock(dir);
    onLock(release);
    note(orphans.length ? `${dir} (ended left-over ${orphans.join(', ')})` : dir);
    return { dir, logs };
  });
  const secrets = loadSecrets(folders.dir);
  const ports = await step('Port', async (note) => {
    const assigned = await assignPorts(folders.dir, env);
    note(assigned.note);
    return assigned;
  });
  return { ...wanted, ...folders, secrets, ports };
}

/**
 * Installs what is missing on the machine and in the checkout.
 * @param {Start} start @returns {Promise<string>} the Redis to start; '' if the user has one
 */
export async function install(start) {
  const { root, env, step } = start;
  const redisBinary = env.REDIS_URL
    ? ''
    : await step('Redis server', async (note, wait) => {
        const binary = await ensureRedis({ wait });
        note(binary);
        return binary;
      });
  await step('Dependencies', async (note, wait) =>
    note(await ensureDependencies(root, { env: toolEnv(start), wait })),
  );
  return redisBinary;
}

/**
 * Checks the settings and the user's own servers, and builds.
 * @param {Start} start @returns the files to run, see `bundleParts`
 */
export async function checkAndBuild(start) {
  const { root, isDev, env, logs, step } = start;
  const withoutStores = { ...envOver(start, ANY_POSTGRES, ANY_REDIS), CACHE_REDIS_URL: ANY_REDIS };
  await step('Settings', async (_note, wait) => {
    // The check of the stores' addresses follows right after this, with better messages.
    const given = { ...withoutStores, ...(env.SECKILL_DEMO ? { SECKILL_DEMO: env.SECKILL_DEMO } : {}) };
    const what = 'The settings could not be checked';
    const file = 'scripts/check-settings.ts';
    const said = await runScript(start, { what, file, env: given, isPrivate: true, wait });
    if (said.trim() !== '') throw new Problem(said.trim());
  });
  if (SERVERS.some((name) => env[name]))
    await step('Servers', async (note, wait) => note(await checkServers(env, wait)));
  await step('Prisma client', async (note, wait) =>
    note(await generateClient({ root, logFile: join(logs, 'setup.log'), env: toolEnv(start), wait })),
  );
  return step('Build', async (note, wait) => {
    const logFile = join(logs, 'build.log');
    // `next dev` builds each page when it is asked for.
    if (!isDev) note(await buildWhenChanged({ root, logFile, env: withoutStores, wait }));
    return bundleParts({ root, dist: env.NEXT_DIST_DIR || '.next' });
  });
}

/**
 * Starts the stores that the user has none of.
 * @param {Start} start @param {Supervisor} supervisor @param {string} binary of Redis
 * @returns {Promise<NodeJS.ProcessEnv>} the environment of every part
 */
export async function openStores(start, supervisor, binary) {
  const { dir, logs, ports, env, secrets, isDemo, step } = start;
  const password = secrets.POSTGRES_PASSWORD;
  const databaseUrl =
    env.DATABASE_URL ||
    (await step('Postgres', (note, wait) =>
      openPostgres({ dir, logs, ports, password, supervisor, note, wait }),
    ));
  const redisUrl =
    env.REDIS_URL ||
    (await step('Redis', (note, wait) => openRedis({ dir, logs, ports, binary, supervisor, note, wait })));
  const settings = envOver(start, databaseUrl, redisUrl);
  if (isDemo) settings.SECKILL_HOST ||= DEMO_HOST;
  settings.MAIL_DIR ||= join(dir, 'mail');
  settings.MEDIA_DIR ||= join(dir, 'media');
  writeRuntime(dir, settings);
  return settings;
}

/**
 * Brings the database up to date, and writes the demo into it or finds out what its owner has to do next.
 * @param {Start} start @param {NodeJS.ProcessEnv} env of every part
 * @returns {Promise<string>} lines about what is to be done next
 */
export async function fillDatabase(start, env) {
  const { isDemo, step } = start;
  const script = (what, file, wait, isPrivate = false) =>
    runScript(start, { what, file, env, isPrivate, wait });
  await step('Migrations', async (note, wait) =>
    note((await script('The database could not be migrated', 'scripts/migrate.ts', wait)).trim()),
  );
  if (!isDemo)
    return step('Next steps', (_note, wait) =>
      script('What is to be done next could not be found out', 'scripts/next-steps.ts', wait, true),
    );
  await step('Demo data', (_note, wait) =>
    script('The demo data could not be written', 'scripts/seed.ts', wait),
  );
  return '';
}

/**
 * Starts web, worker and executor, and waits until the shop is ready.
 * @param {Start} start
 * @param {{ files: Awaited<ReturnType<typeof bundleParts>>, settings: NodeJS.ProcessEnv, supervisor: Supervisor,
 *   isCancelled: () => boolean }} options
 */
export async function openApplication(start, { files, settings, supervisor, isCancelled }) {
  const { root, isDev, env, logs, ports, step } = start;
  await step('Application', async (note, wait) => {
    await Promise.all(['web', 'executor', 'metrics'].map((name) => ports.release(name)));
    const parts = partCommands({ root, isDev, files, settings, isEmbedded: isExecutorEmbedded(env) });
    const webLog = join(logs, 'web.log');
    const logFrom = logSize(webLog);
    await Promise.all(
      parts.map(({ name, args }) => {
        const logFile = join(logs, `${name}.log`);
        const isShown = isDev && name === 'web';
        return supervisor.add({
          name,
          logFile,
          launch: (onSpawn, mark) =>
            onSpawn(spawnNode({ args, cwd: root, env: { ...settings, ...mark }, logFile, isShown })),
        });
      }),
    );
    await waitUntilReady({ origin: ownOrigin(env, ports.web), logFile: webLog, logFrom, isCancelled, wait });
    if (isCancelled()) throw new Error('cancelled');
    note(parts.map(({ name }) => name).join(', '));
  });
}

const toolEnv = ({ env, dir }) => ({ ...env, ...partMark(dir, 'setup') });

/** @param {Start} start @param {string} databaseUrl @param {string} redisUrl @returns the environment of every part */
const envOver = (start, databaseUrl, redisUrl) =>
  partEnv({ ...start, base: toolEnv(start), databaseUrl, redisUrl });

/** Runs one of our scripts from its source; see `runToEnd`. */
const runScript = ({ root, logs }, { file, ...rest }) =>
  runToEnd({
    ...rest,
    command: process.execPath,
    args: [...TYPESCRIPT, file],
    cwd: root,
    logFile: join(logs, 'setup.log'),
  });
