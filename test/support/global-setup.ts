import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEphemeral } from '../../scripts/infra/ephemeral.mjs';
import { findNginx } from '../../scripts/infra/find-server.mjs';
import { sentence } from '../../scripts/infra/problem.mjs';
import { applyMigrations } from '../../scripts/migrate/apply-migrations';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string;
    redisUrl: string;
    templateDatabase: string;
    /** The binary, or null where there is none and we may not install it. */
    nginx: string | null;
  }
}

/**
 * Real servers for the integration tests: those `npm test` started, else a pair of our own, so that
 * `npx vitest run lib/stock` just works. Migrations run once, into the template of every file's database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { SECKILL_TEST_DATABASE_URL: databaseUrl, SECKILL_TEST_REDIS_URL: redisUrl } = process.env;
  const own = databaseUrl && redisUrl ? undefined : await startEphemeral();
  const servers = own ?? { databaseUrl: databaseUrl ?? '', redisUrl: redisUrl ?? '' };
  const templateDatabase = `template_${process.pid}`;
  try {
    await createTemplate(servers.databaseUrl, templateDatabase);
  } catch (error) {
    await own?.stop();
    throw error;
  }
  project.provide('databaseUrl', servers.databaseUrl);
  project.provide('redisUrl', servers.redisUrl);
  project.provide('templateDatabase', templateDatabase);
  project.provide('nginx', nginxIfAny());
  return async () => {
    await own?.stop();
  };
}

function nginxIfAny(): string | null {
  try {
    return findNginx({ say: console.log });
  } catch (error) {
    console.warn(`The tests of the edge are skipped. ${sentence(error)}`);
    return null;
  }
}

async function createTemplate(databaseUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  await applyMigrations(url.href);
}
