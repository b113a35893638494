import type pg from 'pg';
import { Problem } from '../infra/problem.mjs';
import { readMigrations } from '../migrate/read-migrations';

/** Migrations themselves write into these. */
const SEEDED = [
  '_prisma_migrations',
  'risk_rules',
  'audit_head',
  'alert_evaluation',
  'copied_by_gene',
  'decision_log_start',
];

const RELATIONS = `
  SELECT c.oid::regclass::text AS name, c.relname AS short FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
    AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`;

/**
 * Refuses a release that lacks migrations of the backup, and a database that holds anything. One that was only
 * migrated, by a restore that failed, counts as empty.
 */
export async function demandEmpty(client: pg.Client, migrations: readonly string[]): Promise<void> {
  const known = new Set((await readMigrations()).migrationDirectories.map(({ path }) => path));
  const newer = migrations.filter((name) => !known.has(name));
  if (newer.length > 0)
    throw new Problem(
      `The backup has migrations that this release lacks (${newer.join(', ')}): restore it with the release that wrote it, or a newer one.`,
    );
  const { rows: relations } = await client.query<{ name: string; short: string }>(RELATIONS);
  if (relations.length === 0) return;
  const refuse = (what: string) => {
    throw new Problem(`The database is not empty (${what}): name an empty one with DATABASE_URL.`);
  };
  if (!relations.some(({ name }) => name === '_prisma_migrations')) refuse(`it has ${relations[0]?.name}`);
  const { rows: applied } = await client.query('SELECT migration_name AS name FROM _prisma_migrations');
  const ahead = applied.find(({ name }) => !migrations.includes(name));
  if (ahead) refuse(`it has the migration ${ahead.name}, and the backup has not`);
  for (const { name, short } of relations) {
    if (SEEDED.includes(short)) continue;
    const { rows } = await client.query(`SELECT EXISTS (SELECT FROM ${name}) AS "hasRows"`);
    if (rows[0]?.hasRows) refuse(`${name} has rows`);
  }
}
