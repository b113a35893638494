import type { ChildProcess } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { applyMigrations } from '@/scripts/migrate/apply-migrations';
import { ensureDatabase } from '../../../scripts/infra/ensure-database.mjs';
import { startInngestServer } from '../../../scripts/infra/inngest-server.mjs';
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
export const QUICK_RETRIES = { EXECUTOR_BACKOFF_MS: '1000,3000,8000,15000' };

export type Web = { name: string; origin: string };

type Crash = { at: number; name: string; how: string };

/** The whole product on servers and in processes of its own, each of which can be made to fail. */
export type Stack = {
  dir: string;
  /** Adds a process to those that end if we are killed. */
  watch(pid: number | undefined): void;
  env: NodeJS.ProcessEnv;
  webs: readonly Web[];
  parts: ReadonlyMap<string, Part>;
  /** The links through which the web processes reach the stores; none to a cluster, which has gates. */
  links: { redis: Link | null; postgres: Link | null };
  redisDir: string;
  /** The cluster instead of the one Redis, if it was asked for. */
  cluster: ClusterParts | null;
  /** Past links and pooler. */
  databaseUrl: string;
  /** Parts that ended unexpectedly, with the time in epoch ms. */
  crashes: readonly Crash[];
  /** Starts one more web process, and waits until it is ready. @param settings in addition to those of all */
  addWeb(name: string, settings?: Record<string, string>): Promise<Web>;
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
  /** False: the web processes reach the stores as fast as they can, and no link can be broken. */
  hasLinks?: boolean;
  /** Returns more environment of one process. */
  envOf?: (name: string) => Record<string, string>;
  /** Program of a real Inngest server, in place of the embedded executor. */
  inngest?: string;
};

/**
 * Starts Postgres, Redis, executor, worker and `webCount` web processes from the build `npm start` uses, in a
 * temporary folder that is removed at the end.
 * @throws when a part does not come up; then stops what was started.
 */
export async function startStack(root: string, options: StackOptions): Promise<Stack> {
  const { webCount, say, isCluster = false, hasPooler = false, hasLinks = true } = options;
  const { settings = {}, envOf = () => ({}), inngest } = options;
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
    const redis = hasLinks && !cluster ? await openLink(stores.redisUrl) : null;
    const postgres = hasLinks ? await openLink(usedUrl) : null;
    links.push(...[redis, postgres].filter((link) => link !== null));

    const { env, ports, args } = await buildProduct(root, {
      databaseUrl: usedUrl,
      redisUrl: cluster?.url ?? stores.redisUrl,
      secrets: kept,
      settings,
      logFile: logFile('build'),
      say,
    });

    const add = (name: string, start: (env: NodeJS.ProcessEnv) => ChildProcess): Part => {
      const launch = async (onSpawn: (child: ChildProcess) => void, ofThisStart: Record<string, string>) => {
        const child = start({ ...env, ...envOf(name), ...ofThisStart });
        watch(child.pid);
        onSpawn(child);
      };
      const part = createPart({ name, onCrash: crashOf(name), launch });
      parts.set(name, part);
      return part;
    };
    const node = (name: string, ofPart: string[], extra: Record<string, string> = {}) =>
      add(name, (own) =>
        spawnNode({ args: ofPart, cwd: root, env: { ...own, ...extra }, logFile: logFile(name) }),
      );
    const web = async (name: string, port: number, own: Record<string, string> = {}): Promise<Web> => {
      const origin = `http://127.0.0.1:${port}`;
      const part = node(name, args.web, {
        PORT: String(port),
        SECKILL_HOST: '127.0.0.1',
        NEXTAUTH_URL: origin,
        ...(redis ? { REDIS_URL: redis.url } : {}),
        ...(postgres ? { DATABASE_URL: postgres.url } : {}),
        ...own,
      });
      await part.start();
      await awaitWeb(origin, logFile(name), () => crashes.some((crash) => crash.name === name));
      return { name, origin };
    };
    const inngestOptions = {
      dir,
      port: ports.executor,
      appOrigin: `http://127.0.0.1:${ports.web}`,
      eventKey: env.INNGEST_EVENT_KEY ?? '',
      signingKey: env.INNGEST_SIGNING_KEY ?? '',
      logFile: logFile('inngest'),
    };
    if (inngest) add('executor', () => startInngestServer(inngest, inngestOptions));
    else node('executor', args.executor);
    node('worker', args.worker);
    await Promise.all([parts.get('worker')?.start(), parts.get('executor')?.start()]);
    const webPorts = await Promise.all(
      Array.from({ length: webCount }, (_, at) => (at === 0 ? ports.web : anyFreePort())),
    );
    const webs = await Promise.all(webPorts.map((port, at) => web(`web-${at + 1}`, port)));
    return {
      dir,
      watch,
      env,
      webs,
      parts,
      links: { redis, postgres },
      redisDir: stores.redisDir,
      cluster,
      databaseUrl,
      crashes,
      addWeb: async (name, own = {}) =>
        web(name, await anyFreePort(), { METRICS_PORT: String(await anyFreePort()), ...own }),
      keepLogs: (into) => cpSync(join(dir, 'logs'), into, { recursive: true }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
