import type { ChildProcess } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { applyMigrations } from '@/scripts/migrate/apply-migrations';
import { ensureDatabase } from '../../../scripts/infra/ensure-database.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { secrets } from '../../../scripts/infra/secrets.mjs';
import { spawnNode } from '../../../scripts/infra/spawn-logged.mjs';
import { awaitWeb } from './await-web';
import { buildProduct } from './build-product';
import { type ClusterParts, createCluster } from './cluster';
import { type Link, openLink } from './link';
import { openWorkspace } from './open-workspace';
import { createPart, type Part } from './part';
import { createPooler } from './pooler';
import { createStores } from './stores';

/**
 * Waits between the executor's attempts: as many as by default, but seconds instead of minutes, so that a round ends.
 * Their sum is longer than any fault and shorter than the time to drain.
 */
const EXECUTOR_BACKOFF_MS = '1000,3000,8000,15000';

export type Web = { name: string; origin: string };

type Crash = { at: number; name: string; how: string };

/** The whole product on servers and in processes of its own, each of which can be made to fail. */
export type Stack = {
  dir: string;
  env: NodeJS.ProcessEnv;
  webs: readonly Web[];
  parts: ReadonlyMap<string, Part>;
  /** The links through which the web processes reach the stores; none to a cluster, which has gates. */
  links: { redis: Link | null; postgres: Link };
  redisDir: string;
  /** The cluster instead of the one Redis, if it was asked for. */
  cluster: ClusterParts | null;
  /** Past links and pooler. */
  databaseUrl: string;
  /** Parts that ended unexpectedly, with the time in epoch ms. */
  crashes: readonly Crash[];
  /** Copies the logs of all parts to a folder. */
  keepLogs(into: string): void;
  stop(): Promise<void>;
};

type StackOptions = {
  webCount: number;
  say: (line: string) => void;
  /** Environment of all processes. */
  settings?: Record<string, string>;
  /** A cluster of six servers instead of one Redis. */
  isCluster?: boolean;
  /** PgBouncer between all processes and Postgres: the part `pooler`. */
  hasPooler?: boolean;
};

/**
 * Starts Postgres, Redis, executor, worker and `webCount` web processes from the build `npm start` uses, in a
 * temporary folder that is removed at the end.
 * @throws when a part does not come up; then stops what was started.
 */
export async function startStack(
  root: string,
  { webCount, say, settings = {}, isCluster = false, hasPooler = false }: StackOptions,
): Promise<Stack> {
  const workspace = openWorkspace('stack');
  const { dir, logFile, watch } = workspace;
  const parts = new Map<string, Part>();
  const links: Link[] = [];
  const crashes: Crash[] = [];
  const crashOf = (name: string) => (how: string) => void crashes.push({ at: Date.now(), name, how });
  const cluster = isCluster ? await createCluster({ workspace, crashOf }) : null;
  const stop = async () => {
    const all = [...parts.values()];
    const isStore = ({ name }: Part) => /^(?:redis|postgres|pooler)/.test(name);
    await Promise.allSettled(all.filter((part) => !isStore(part)).map((part) => part.stop()));
    await Promise.allSettled(links.map((link) => link.stop()));
    await Promise.allSettled(all.filter(isStore).map((part) => part.stop()));
    await cluster?.stop();
    workspace.close();
  };
  try {
    const kept: Record<string, string> = secrets(dir);
    const password = kept.POSTGRES_PASSWORD ?? '';
    const stores = await createStores({ workspace, password, crashOf });
    const redisParts = cluster?.parts ?? [stores.redis];
    for (const part of [stores.postgres, ...redisParts]) parts.set(part.name, part);
    await Promise.all([stores.postgres.start(), ...redisParts.map((part) => part.start())]);
    await cluster?.form();
    const databaseUrl = await ensureDatabase(stores.postgresUrl(), 'seckill');
    await applyMigrations(databaseUrl);
    const pooler = hasPooler ? await createPooler({ workspace, databaseUrl, crashOf }) : null;
    if (pooler) parts.set(pooler.part.name, pooler.part);
    await pooler?.part.start();
    const usedUrl = pooler?.url ?? databaseUrl;
    const redis = cluster ? null : await openLink(stores.redisUrl);
    const postgres = await openLink(usedUrl);
    links.push(postgres, ...(redis ? [redis] : []));

    const { env, ports, args } = await buildProduct(root, {
      databaseUrl: usedUrl,
      redisUrl: cluster?.url ?? stores.redisUrl,
      secrets: kept,
      settings: { EXECUTOR_BACKOFF_MS, ...settings },
      logFile: logFile('build'),
      say,
    });

    const add = (name: string, ofPart: string[], extra: Record<string, string> = {}) => {
      const launch = async (onSpawn: (child: ChildProcess) => void, ofThisStart: Record<string, string>) => {
        const own = { ...env, ...extra, ...ofThisStart };
        const child = spawnNode({ args: ofPart, cwd: root, env: own, logFile: logFile(name) });
        watch(child.pid);
        onSpawn(child);
      };
      parts.set(name, createPart({ name, onCrash: crashOf(name), launch }));
    };
    const webs: Web[] = [];
    for (let at = 1; at <= webCount; at += 1) {
      const port = at === 1 ? ports.web : await anyFreePort();
      const name = `web-${at}`;
      webs.push({ name, origin: `http://127.0.0.1:${port}` });
      add(name, args.web, {
        PORT: String(port),
        SECKILL_HOST: '127.0.0.1',
        NEXTAUTH_URL: `http://127.0.0.1:${port}`,
        ...(redis ? { REDIS_URL: redis.url } : {}),
        DATABASE_URL: postgres.url,
      });
    }
    add('worker', args.worker);
    add('executor', args.executor);
    await Promise.all([...parts.values()].map((part) => part.start()));
    const hasCrashed = (name: string) => crashes.some((crash) => crash.name === name);
    await Promise.all(
      webs.map(({ name, origin }) => awaitWeb(origin, logFile(name), () => hasCrashed(name))),
    );
    return {
      dir,
      env,
      webs,
      parts,
      links: { redis, postgres },
      redisDir: stores.redisDir,
      cluster,
      databaseUrl,
      crashes,
      keepLogs: (into) => cpSync(join(dir, 'logs'), into, { recursive: true }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
