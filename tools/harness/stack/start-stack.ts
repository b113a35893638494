import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '@/scripts/migrate/apply-migrations';
import { buildWhenChanged } from '../../../scripts/infra/build-when-changed.mjs';
import { bundleServer } from '../../../scripts/infra/bundle-server.mjs';
import { cleanEnv } from '../../../scripts/infra/clean-env.mjs';
import { ensureDatabase } from '../../../scripts/infra/ensure-database.mjs';
import { TYPESCRIPT } from '../../../scripts/infra/part-commands.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { Problem } from '../../../scripts/infra/problem.mjs';
import { lastLine } from '../../../scripts/infra/read-log.mjs';
import { startReaper } from '../../../scripts/infra/reaper.mjs';
import { secrets } from '../../../scripts/infra/secrets.mjs';
import { partEnv } from '../../../scripts/infra/settings.mjs';
import { spawnNode } from '../../../scripts/infra/spawn-logged.mjs';
import { waitUntilReady } from '../../../scripts/infra/wait-until-ready.mjs';
import { type Link, openLink } from './link';
import { createPart, type Part } from './part';
import { createStores } from './stores';

/**
 * Waits between the executor's attempts: as many as by default, but seconds instead of minutes, so that a round ends.
 * Together longer than any fault, shorter than the time to drain.
 */
const EXECUTOR_BACKOFF_MS = '1000,3000,8000,15000';

export type Web = { name: string; origin: string };

type Crash = { at: number; name: string; how: string };

/** The whole product on servers of its own, in processes of its own, each of which can be made to fail. */
export type Stack = {
  dir: string;
  env: NodeJS.ProcessEnv;
  webs: readonly Web[];
  parts: ReadonlyMap<string, Part>;
  /** How the web processes reach the stores. */
  links: { redis: Link; postgres: Link };
  redisDir: string;
  /** Parts that ended though nobody wanted them to, epoch ms. */
  crashes: readonly Crash[];
  /** Keeps the logs of all parts in a folder. */
  keepLogs(into: string): void;
  stop(): Promise<void>;
};

/**
 * Starts Postgres, Redis, executor, worker and `webCount` web processes from the build `npm start` uses, in a temporary
 * folder that goes with them.
 * @param settings environment of all of them
 * @throws when something does not come up; what was started is stopped.
 */
export async function startStack(
  root: string,
  {
    webCount,
    say,
    settings = {},
  }: { webCount: number; say: (line: string) => void; settings?: Record<string, string> },
): Promise<Stack> {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-chaos-'));
  chmodSync(dir, 0o711);
  mkdirSync(join(dir, 'logs'));
  const logFile = (name: string) => join(dir, 'logs', `${name}.log`);
  const reaper = startReaper(dir);
  const parts = new Map<string, Part>();
  const links: Link[] = [];
  const crashes: Crash[] = [];
  const crashOf = (name: string) => (how: string) => void crashes.push({ at: Date.now(), name, how });
  const stop = async () => {
    const [stores, apps] = [
      ['redis', 'postgres'].flatMap((name) => parts.get(name) ?? []),
      [...parts.values()].filter(({ name }) => name !== 'redis' && name !== 'postgres'),
    ];
    await Promise.allSettled(apps.map((part) => part.stop()));
    await Promise.allSettled(links.map((link) => link.stop()));
    await Promise.allSettled(stores.map((part) => part.stop()));
    rmSync(dir, { recursive: true, force: true });
    reaper.dismiss();
  };
  const watch = (pid: number | undefined) => void reaper.watch(pid);
  try {
    const kept: Record<string, string> = secrets(dir);
    const stores = await createStores({
      dir,
      password: kept.POSTGRES_PASSWORD ?? '',
      logFile,
      watch,
      crashOf,
    });
    for (const part of [stores.postgres, stores.redis]) parts.set(part.name, part);
    await Promise.all([stores.postgres.start(), stores.redis.start()]);
    const databaseUrl = await ensureDatabase(stores.postgresUrl(), 'seckill');
    await applyMigrations(databaseUrl);
    const redis = await openLink(stores.redisUrl);
    const postgres = await openLink(databaseUrl);
    links.push(redis, postgres);

    const ports = { web: await anyFreePort(), executor: await anyFreePort(), metrics: await anyFreePort() };
    const given = process.env.NEXT_DIST_DIR;
    const base = cleanEnv(process.env, given ? { NEXT_DIST_DIR: given } : {});
    const env: NodeJS.ProcessEnv = {
      ...partEnv({
        base,
        secrets: kept,
        databaseUrl,
        redisUrl: stores.redisUrl,
        ports,
        isDev: false,
        isDemo: false,
      }),
      EXECUTOR_BACKOFF_MS,
      ALLOW_SANDBOX_PAYMENTS: '1',
      ...settings,
    };
    say(`build: ${await buildWhenChanged({ root, logFile: logFile('build'), env })}`);
    const server = await bundleServer({ root, dist: env.NEXT_DIST_DIR || '.next' });

    const add = (name: string, args: string[], extra: Record<string, string> = {}) =>
      parts.set(
        name,
        createPart({
          name,
          onCrash: crashOf(name),
          launch: async (onSpawn, ofThisStart) => {
            const own = { ...env, ...extra, ...ofThisStart };
            const options = { args, cwd: root, env: own, logFile: logFile(name) };
            const child = spawnNode(options);
            watch(child.pid);
            onSpawn(child);
          },
        }),
      );
    const webs: Web[] = [];
    for (let at = 1; at <= webCount; at += 1) {
      const port = at === 1 ? ports.web : await anyFreePort();
      const name = `web-${at}`;
      webs.push({ name, origin: `http://127.0.0.1:${port}` });
      add(name, ['--enable-source-maps', server], {
        PORT: String(port),
        SECKILL_HOST: '127.0.0.1',
        NEXTAUTH_URL: `http://127.0.0.1:${port}`,
        REDIS_URL: redis.url,
        DATABASE_URL: postgres.url,
      });
    }
    add('worker', [...TYPESCRIPT, 'scripts/worker.ts']);
    add('executor', [...TYPESCRIPT, 'inngest/executor/main.ts']);
    await Promise.all([...parts.values()].map((part) => part.start()));
    await Promise.all(
      webs.map(async ({ name, origin }) => {
        const hasEnded = () => crashes.some((crash) => crash.name === name);
        await waitUntilReady({ origin, logFile: logFile(name), isCancelled: hasEnded });
        if (hasEnded()) throw new Problem(`The web process ${name} ended: ${lastLine(logFile(name))}`);
      }),
    );
    return {
      dir,
      env,
      webs,
      parts,
      links: { redis, postgres },
      redisDir: stores.redisDir,
      crashes,
      keepLogs: (into) => cpSync(join(dir, 'logs'), into, { recursive: true }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
