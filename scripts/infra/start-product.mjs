import { join } from 'node:path';
import { assignPorts } from './assign-ports.mjs';
import { buildWhenChanged } from './build-when-changed.mjs';
import { bundleServer } from './bundle-server.mjs';
import { dataDir, logFile } from './data-dir.mjs';
import { ensureDependencies } from './ensure-dependencies.mjs';
import { firstSteps } from './first-steps.mjs';
import { generateClient } from './generate-client.mjs';
import { Problem } from './problem.mjs';
import { progress } from './progress.mjs';
import { runTool, stopTools } from './run-tool.mjs';
import { writeRuntime } from './runtime-file.mjs';
import { secrets as loadSecrets } from './secrets.mjs';
import { isExecutorEmbedded, ownOrigin, partEnv } from './settings.mjs';
import { takeStartLock } from './start-lock.mjs';
import { openPostgres, openRedis } from './stores.mjs';
import { createSupervisor, spawnNode } from './supervise.mjs';
import { waitUntilReady } from './wait-until-ready.mjs';

const READY_TIMEOUT_MS = 60_000;
/** The demo's passwords are public, so only this machine may reach it unless SECKILL_HOST says otherwise. */
const DEMO_HOST = '127.0.0.1';
/** A larger nursery: short-lived objects of a purchase die in it instead of being copied (53 → 47 µs of CPU each). */
const WEB_OPTIONS = ['--enable-source-maps', '--max-semi-space-size=32'];
/** Stand for stores that are not there yet. */
const ANY_POSTGRES = 'postgres://localhost/any';
const ANY_REDIS = 'redis://localhost';
/** How plain Node runs our TypeScript; the condition makes `server-only` a no-op. */
const TYPESCRIPT = ['--import', 'tsx', '--conditions=react-server'];

/**
 * Brings the whole product up, step by step, and returns the handle to end it with.
 * @param {{ root: string, isDev: boolean, env: NodeJS.ProcessEnv, onGiveUp: (reason: string) => void }} options
 */
export function createProduct({ root, isDev, env, onGiveUp }) {
  const show = progress();
  let isCancelled = false;
  let supervisor;
  let release = () => {};

  /** Each step asks first whether it is still wanted: a signal may arrive at any time. */
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
    const ports = await step('Port', async (note) => {
      const assigned = await assignPorts(dir, env);
      note(assigned.note);
      return assigned;
    });
    await step('Dependencies', async (note) => note(await ensureDependencies(root)));
    const isDemo = env.SECKILL_DEMO ? !['0', 'false'].includes(env.SECKILL_DEMO) : !env.DATABASE_URL;
    const withStores = (databaseUrl, redisUrl) =>
      partEnv({ base: env, secrets, databaseUrl, redisUrl, ports, isDev, isDemo });
    const script = (what, file, settings) =>
      runTool({
        what,
        command: process.execPath,
        args: [...TYPESCRIPT, file],
        cwd: root,
        env: settings,
        logFile: logFile(logs, 'setup'),
      });
    await step('Settings', async () => {
      // The addresses of the stores are looked at where they are used, with more to say about them.
      const given = { ...withStores(ANY_POSTGRES, ANY_REDIS), CACHE_REDIS_URL: ANY_REDIS };
      if (env.SECKILL_DEMO) given.SECKILL_DEMO = env.SECKILL_DEMO;
      const said = await script('The settings could not be checked', 'scripts/check-settings.ts', given);
      // Node may have warned of something before.
      const at = said.indexOf('These environment variables');
      if (at !== -1) throw new Problem(said.slice(at).trim());
    });
    supervisor = createSupervisor({ dir, say: show.line, onGiveUp });

    const databaseUrl = await step('Postgres', (note) =>
      openPostgres({
        dir,
        logs,
        port: ports.postgres,
        password: secrets.POSTGRES_PASSWORD,
        configured: env.DATABASE_URL,
        supervisor,
        note,
      }),
    );
    const redisUrl = await step('Redis', (note) =>
      openRedis({
        dir,
        logs,
        port: ports.redis,
        configured: env.REDIS_URL,
        cacheConfigured: env.CACHE_REDIS_URL,
        supervisor,
        note,
        say: show.aside,
      }),
    );
    const settings = withStores(databaseUrl, redisUrl);
    if (isDemo) settings.SECKILL_HOST ||= DEMO_HOST;
    settings.MAIL_DIR ||= join(dir, 'mail');
    writeRuntime(dir, settings);
    await step('Prisma client', async (note) =>
      note(await generateClient({ root, logFile: logFile(logs, 'setup') })),
    );
    await step('Migrations', async (note) =>
      note((await script('The database could not be migrated', 'scripts/migrate.ts', settings)).trim()),
    );
    if (isDemo)
      await step('Demo data', () =>
        script('The demo data could not be written', 'scripts/seed.ts', settings),
      );
    let server = '';
    if (!isDev) {
      await step('Build', async (note) => {
        note(await buildWhenChanged({ root, logFile: logFile(logs, 'build'), env: settings }));
        server = await bundleServer({ root, dist: settings.NEXT_DIST_DIR || '.next' });
      });
    }

    const origin = ownOrigin(env, ports.web);
    await step('Application', async (note) => {
      await ports.release();
      const parts = partCommands({ root, isDev, server, settings, isEmbedded: isExecutorEmbedded(env) });
      await Promise.all(
        parts.map(({ name, args }) => {
          const log = logFile(logs, name);
          return supervisor.add({
            name,
            logFile: log,
            launch: (onSpawn) =>
              onSpawn(
                spawnNode({ args, cwd: root, env: settings, logFile: log, isShown: isDev && name === 'web' }),
              ),
          });
        }),
      );
      const isOver = () => isCancelled;
      await waitUntilReady({
        origin,
        timeoutMs: READY_TIMEOUT_MS,
        logFile: join(logs, 'web.log'),
        isCancelled: isOver,
      });
      note(parts.map(({ name }) => name).join(', '));
    });
    if (isCancelled) return;
    const publicUrl = settings.NEXTAUTH_URL;
    const lines = await firstSteps({
      origin,
      publicUrl,
      isDemo,
      isOpen: Boolean(env.SECKILL_HOST),
      logs,
    });
    show.line(`\nReady on http://localhost:${ports.web}\n${lines.join('\n')}`);
  }

  return {
    start,
    /** @returns {Promise<boolean>} whether every part ended by itself. */
    async stop() {
      isCancelled = true;
      stopTools();
      const isClean = (await supervisor?.stop()) ?? true;
      release();
      return isClean;
    },
    /** Ends everything at once, for the second signal. */
    kill() {
      isCancelled = true;
      stopTools('SIGKILL');
      supervisor?.kill();
      release();
    },
  };
}

/** `next dev` while developing, our own server (with Next behind it) otherwise. */
function partCommands({ root, isDev, server, settings, isEmbedded }) {
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const host = settings.SECKILL_HOST;
  const dev = [next, 'dev', '-p', settings.PORT, ...(host ? ['-H', host] : [])];
  const web = isDev ? dev : [...WEB_OPTIONS, server];
  const parts = [
    { name: 'web', args: web },
    { name: 'worker', args: [...TYPESCRIPT, 'scripts/worker.ts'] },
  ];
  if (isEmbedded) {
    parts.push({ name: 'executor', args: [...TYPESCRIPT, 'inngest/executor/main.ts'] });
  }
  return parts;
}
