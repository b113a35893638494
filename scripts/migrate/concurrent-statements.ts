import { splitSql } from './split-sql';

const OF_INDEXES = /^(?:CREATE (?:UNIQUE )?INDEX CONCURRENTLY|DROP INDEX CONCURRENTLY IF EXISTS) (\S+)/i;

/**
 * Returns the statements of a migration that builds or drops indexes while everybody goes on; Postgres takes each only
 * by itself, outside a transaction. Null for any other migration.
 * @throws Error where such a statement is beside others, or could not be repeated: a build that was interrupted leaves
 *   an index behind that is good for nothing, so each `CREATE` needs a `DROP … IF EXISTS` before it
 */
export function concurrentStatements(script: string): string[] | null {
  const statements = splitSql(script).map(({ text }) => text);
  if (!statements.some((text) => /\bINDEX CONCURRENTLY\b/i.test(text))) return null;
  const dropped = new Set<string>();
  for (const text of statements) {
    const [, name] = OF_INDEXES.exec(text) ?? [];
    if (!name) throw new Error(`CONCURRENTLY needs a migration of its own, without "${text.slice(0, 60)}"`);
    if (/^DROP/i.test(text)) dropped.add(name);
    else if (!dropped.has(name))
      throw new Error(`"${text.slice(0, 60)}" needs DROP INDEX CONCURRENTLY IF EXISTS ${name} before it`);
  }
  return statements;
}
