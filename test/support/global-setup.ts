import type { TestProject } from 'vitest/node';
import { startEphemeral } from '../../scripts/infra/ephemeral.mjs';
import { ensureNginx } from '../../scripts/infra/find-server.mjs';
import { sentence } from '../../scripts/infra/problem.mjs';
import { applyMigrations } from '../../scripts/migrate/apply-migrations';
import { createDatabase } from './create-database';
import { lendServers } from './lend-servers';
import { startCluster } from './start-cluster';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The maintenance database, for tests that create databases. */
    databaseUrl: string;
    /** The port where a test file borrows its own database and Redis server. */
    lender: number;
    /** The nginx binary, or null where there is none and we may not install it. */
    nginx: string | null;
  }
}

/** `TEST_REDIS=cluster`: each file gets a cluster of six servers instead of one Redis. */
const isOnCluster = process.env.TEST_REDIS === 'cluster';

type Running = { databaseUrl: string; port: number; stop(): Promise<void> };

// Vitest loads this module once for each project.
const holder = globalThis as typeof globalThis & {
  seckillTestServers?: { all: Promise<Running>; users: number };
};

/**
 * Starts real servers for the integration tests, one Postgres for all projects. Runs the migrations once, into the
 * template of every file's database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  holder.seckillTestServers ??= { all: start(), users: 0 };
  const shared = holder.seckillTestServers;
  shared.users += 1;
  const { databaseUrl, port, stop } = await shared.all;
  project.provide('databaseUrl', databaseUrl);
  project.provide('lender', port);
  project.provide('nginx', await nginxIfAny());
  return async () => {
    shared.users -= 1;
    if (shared.users === 0) await stop();
  };
}

async function start(): Promise<Running> {
  const servers = await startEphemeral();
  try {
    const template = await createDatabase(servers.databaseUrl, 'migrated');
    await applyMigrations(template.url);
    let count = 0;
    const lender = await lendServers(async () => {
      count += 1;
      const [database, redis] = await Promise.all([
        createDatabase(servers.databaseUrl, `test_${count}`, 'migrated'),
        isOnCluster ? startCluster() : servers.addRedis(),
      ]);
      const end = async () => void (await Promise.all([database.drop(), redis.stop()]));
      return { databaseUrl: database.url, redisUrl: redis.url, end };
    });
    const stop = async () => {
      await lender.stop();
      await servers.stop();
    };
    return { databaseUrl: servers.databaseUrl, port: lender.port, stop };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}

async function nginxIfAny(): Promise<string | null> {
  try {
    return await ensureNginx();
  } catch (error) {
    console.warn(`The tests of the edge are skipped. ${sentence(error)}`);
    return null;
  }
}
