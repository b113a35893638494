import { join } from 'node:path';
import { assignPorts } from './assign-ports.mjs';
import { buildWhenChanged } from './build-when-changed.mjs';
import { bundleParts } from './bundle-parts.mjs';
import { checkServers } from './check-servers.mjs';
import { dataDir } from './data-dir.mjs';
import { ensureDependencies } from './ensure-dependencies.mjs';
import { ensureRedis } from './find-server.mjs';
import { firstSteps } from './first-steps.mjs';
import { generateClient } from './generate-client.mjs';
import { partCommands, TYPESCRIPT } from './part-commands.mjs';
import { partMark } from './part-mark.mjs';
import { Problem } from './problem.mjs';
import { progress } from './progress.mjs';
import { logSize } from './read-log.mjs';
import { runToEnd, stopPrograms } from './run-to-end.mjs';
import { writeRuntime } from './runtime-file.mjs';
import { secrets as loadSecrets } from './secrets.mjs';
import { isExecutorEmbedded, ownOrigin, partEnv } from './settings.mjs';
import { spawnNode } from './spawn-logged.mjs';
import { takeStartLock } from './start-lock.mjs';
import { openPostgres, openRedis } from './stores.mjs';
import { createSupervisor } from './supervise.mjs';
import { waitUntilReady } from './wait-until-ready.mjs';

/** The demo's passwords are public, so it is reachable only from this machine unless SECKILL_HOST says otherwise. */
const DEMO_HOST = '127.0.0.1';
/** The settings that name servers of the user's own. */
const SERVERS = ['DATABASE_URL', 'DATABASE_REPLICA_URLS', 'REDIS_URL', 'CACHE_REDIS_URL', 'LOCK_REDIS_URLS'];
/** Placeholders for stores that do not run yet. */
const ANY_POSTGRES = 'postgres://localhost/any';
const ANY_REDIS = 'redis://localhost';

/**
 * Starts the whole product, step by step, and returns the handle that ends it. Checks first whatever can be checked;
 * before that it installs only what the checks need. Changes nothing in the user's own servers before everything is
 * built.
 * @param {{ root: string, isDev: boolean, env: NodeJS.ProcessEnv, onGiveUp: (reason: string) => void }} options
 */
export function createProduct({ root, isDev, env, onGiveUp }) {
  const show = progress();
  let isCancelled = false;
  let isReady = false;
  let supervisor;
  let release = () => {};

  /** Each step first asks whether it is still wanted: a signal may arrive at any time. */
  const step = (title, work) => {
    if (isCancelled) throw new Error('cancelled');
    return show.step(title, work);
  };

  async function start() {
    const { dir, logs } = await step('Data directory', async (note) => {
      const folders = dataDir(root, env.SECKILL_DATA_DIR);
      const lock = await takeStartLock(folders.dir);
      release = lock.release;
      note(lock.orphans.length ? `${folders.dir} (ended left-over ${lock.orphans.join(', ')})` : folders.dir);
      return folders;
    });
    const secrets = loadSecrets(dir);
    const setupLog = join(logs, 'setup.log');
    const toolEnv = { ...env, ...partMark(dir, 'setup') };
    const ports = await step('Port', async (note) => {
      const assigned = await assignPorts(dir, env);
      note(assigned.note);
      return assigned;
    });
    const redisBinary = env.REDIS_URL
      ? undefined
      : await step('Redis server', async (note, wait) => {
          const binary = await ensureRedis({ wait });
          note(binary);
          return binary;
        });
    await step('Dependencies', async (note, wait) =>
      note(await ensureDependencies(root, { env: toolEnv, wait })),
    );
    const isDemo = env.SECKILL_DEMO ? !['0', 'false'].includes(env.SECKILL_DEMO) : !env.DATABASE_URL;
    const withStores = (databaseUrl, redisUrl) =>
      partEnv({ base: toolEnv, secrets, databaseUrl, redisUrl, ports, isDev, isDemo });
    const script = (what, file, settings, wait, isPrivate = false) =>
      runToEnd({
        what,
        command: process.execPath,
        args: [...TYPESCRIPT, file],
        cwd: root,
        env: settings,
        logFile: setupLog,
        isPrivate,
        wait,
      });
    const withoutStores = withStores(ANY_POSTGRES, ANY_REDIS);
    await step('Settings', async (_note, wait) => {
      // The check of the stores' addresses follows right after this, with better messages.
      const given = { ...withoutStores, CACHE_REDIS_URL: ANY_REDIS };
      if (env.SECKILL_DEMO) given.SECKILL_DEMO = env.SECKILL_DEMO;
      const what = 'The settings could not be checked';
      const said = await script(what, 'scripts/check-settings.ts', given, wait, true);
      if (said.trim() !== '') throw new Problem(said.trim());
    });
    if (SERVERS.some((name) => env[name]))
      await step('Servers', async (note, wait) => note(await checkServers(env, wait)));
    await step('Prisma client', async (note, wait) =>
      note(await generateClient({ root, logFile: setupLog, env: toolEnv, wait })),
    );
    const files = await step('Build', async (note, wait) => {
      const buildEnv = { ...withoutStores, CACHE_REDIS_URL: ANY_REDIS };
      // `next dev` builds each page when it is asked for.
      if (!isDev)
        note(await buildWhenChanged({ root, logFile: join(logs, 'build.log'), env: buildEnv, wait }));
      return bundleParts({ root, dist: env.NEXT_DIST_DIR || '.next' });
    });
    const drainMs = Number(env.DRAIN_MS) || 0;
    supervisor = createSupervisor({ dir, say: show.line, onNeverUp: onGiveUp, drainMs });

    const databaseUrl =
      env.DATABASE_URL ||
      (await step('Postgres', (note, wait) =>
        openPostgres({ dir, logs, ports, password: secrets.POSTGRES_PASSWORD, supervisor, note, wait }),
      ));
    const redisUrl =
      env.REDIS_URL ||
      (await step('Redis', (note, wait) =>
        openRedis({ dir, logs, ports, binary: redisBinary ?? '', supervisor, note, wait }),
      ));
    const settings = withStores(databaseUrl, redisUrl);
    if (isDemo) settings.SECKILL_HOST ||= DEMO_HOST;
    settings.MAIL_DIR ||= join(dir, 'mail');
    writeRuntime(dir, settings);
    await step('Migrations', async (note, wait) =>
      note((await script('The database could not be migrated', 'scripts/migrate.ts', settings, wait)).trim()),
    );
    let nextLines = '';
    if (isDemo) {
      await step('Demo data', (_note, wait) =>
        script('The demo data could not be written', 'scripts/seed.ts', settings, wait),
      );
    } else {
      nextLines = await step('Next steps', (_note, wait) =>
        script(
          'What is to be done next could not be found out',
          'scripts/next-steps.ts',
          settings,
          wait,
          true,
        ),
      );
    }

    const origin = ownOrigin(env, ports.web);
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
      await waitUntilReady({ origin, logFile: webLog, logFrom, isCancelled: () => isCancelled, wait });
      if (isCancelled) throw new Error('cancelled');
      note(parts.map(({ name }) => name).join(', '));
    });
    supervisor.settle();
    isReady = true;
    const lines = await firstSteps({
      origin,
      publicUrl: settings.NEXTAUTH_URL,
      isDemo,
      isOpen: Boolean(env.SECKILL_HOST),
      nextLines: nextLines.trim().split('\n').filter(Boolean),
      logs,
    });
    show.line(`\nReady on http://localhost:${ports.web}\n${lines.join('\n')}`);
  }

  return {
    start,
    /** From here on only a signal ends the product. */
    isReady: () => isReady,
    /** @returns {Promise<boolean>} whether every part ended by itself. */
    async stop() {
      isCancelled = true;
      await stopPrograms();
      const isClean = (await supervisor?.stop()) ?? true;
      release();
      return isClean;
    },
    /** Kills everything at once, for the second signal. */
    kill() {
      isCancelled = true;
      void stopPrograms('SIGKILL');
      supervisor?.kill();
      release();
    },
  };
}
