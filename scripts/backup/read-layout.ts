import pg from 'pg';
import type { Manifest, Sequence, Table } from './manifest';
import { orderByReferences } from './order-by-references';

/** Schemas in which the migrations make tables. */
const SCHEMAS = ['public', 'executor'];

const TABLES = `
  SELECT n.nspname AS schema, c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY ($1)
  GROUP BY 1, 2 ORDER BY 1 DESC, 2`;

/** Includes foreign keys that are not enforced: triggers enforce them instead. */
const REFERENCES = `
  SELECT con.conrelid::regclass::text AS "from", con.confrelid::regclass::text AS "to"
  FROM pg_constraint con
  JOIN pg_class c ON c.oid = con.conrelid
  WHERE con.contype = 'f' AND NOT c.relispartition`;

const SEQUENCES = `
  SELECT schemaname AS schema, sequencename AS name, last_value::text AS value
  FROM pg_sequences WHERE schemaname = ANY ($1) ORDER BY 1, 2`;

const MIGRATIONS = `
  SELECT migration_name AS name FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`;

const MOMENT = `
  SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "takenAt",
         current_setting('server_version') AS "postgresVersion"`;

export type Layout = Pick<Manifest, 'takenAt' | 'postgresVersion' | 'migrations'> & {
  /** In an order in which they can be filled. */
  tables: Table[];
};

/** Reads, in the client's transaction, which tables the database has and at which migration it is. */
export async function readLayout(client: pg.Client): Promise<Layout> {
  const [moment] = (await client.query(MOMENT)).rows;
  const migrations = (await client.query(MIGRATIONS)).rows.map(({ name }) => name);
  const tables: Table[] = (await client.query(TABLES, [SCHEMAS])).rows;
  const { rows: references } = await client.query(REFERENCES);
  // `regclass` writes the schema only where it is not on the search path.
  const keyOf = ({ schema, table }: Table) => (schema === 'public' ? table : `${schema}.${table}`);
  const byKey = new Map(tables.map((table) => [keyOf(table), table]));
  const order = orderByReferences(
    [...byKey.keys()],
    references.map(({ from, to }) => [from, to]),
  );
  return { ...moment, migrations, tables: order.flatMap((key) => byKey.get(key) ?? []) };
}

/** Reads the sequences. They stand outside of snapshots, so read them after the tables: then no row is ahead of them. */
export async function readSequences(client: pg.Client): Promise<Sequence[]> {
  return (await client.query(SEQUENCES, [SCHEMAS])).rows;
}

/** Quotes a table's name and its columns for SQL. */
export const quoted = ({ schema, table, columns }: Table): { name: string; columns: string } => ({
  name: `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`,
  columns: columns.map((column) => pg.escapeIdentifier(column)).join(', '),
});
