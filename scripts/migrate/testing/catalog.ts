import pg from 'pg';

/** One entry per object in schema `public`, e.g. `column sales.price_minor` → `integer not null`. */
export type Catalog = Map<string, string>;

const COLUMNS = `
  SELECT 'column ' || c.relname || '.' || a.attname AS name,
         format_type(a.atttypid, a.atttypmod)
           || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
           || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') AS definition
  FROM pg_attribute a
  JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attnum > 0 AND NOT a.attisdropped`;

const CONSTRAINTS = `
  SELECT CASE con.contype WHEN 'p' THEN 'primary key ' WHEN 'u' THEN 'unique ' WHEN 'f' THEN 'foreign key '
              WHEN 'c' THEN 'check ' ELSE 'constraint ' END || con.conname AS name,
         c.relname || ' ' || pg_get_constraintdef(con.oid) AS definition
  FROM pg_constraint con
  JOIN pg_class c ON c.oid = con.conrelid
  WHERE con.connamespace = 'public'::regnamespace AND NOT c.relispartition
    -- Parts of a partitioned table's constraint follow from it; NOT NULL is told by the column.
    AND con.conparentid = 0 AND con.contype <> 'n'`;

const INDEXES = `
  SELECT 'index ' || i.relname AS name, replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ') AS definition
  FROM pg_index x
  JOIN pg_class i ON i.oid = x.indexrelid
  JOIN pg_class c ON c.oid = x.indrelid
  WHERE i.relnamespace = 'public'::regnamespace AND NOT c.relispartition
    AND NOT EXISTS (SELECT 1 FROM pg_constraint con WHERE con.conindid = x.indexrelid AND con.contype IN ('p', 'u'))`;

const TRIGGERS = `
  SELECT 'trigger ' || t.tgname AS name, pg_get_triggerdef(t.oid) AS definition
  FROM pg_trigger t
  JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND NOT t.tgisinternal`;

const PARTITIONS = `
  SELECT 'partition ' || c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS definition
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relispartition AND c.relkind = 'r'
    -- Those are of the day of the migration.
    AND c.relname !~ '^processed_messages_[0-9]{8}$'`;

/**
 * Describes a database, apart from the migration engine's own table.
 * @param databaseUrl The database to describe.
 */
export async function readCatalog(databaseUrl: string): Promise<Catalog> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; definition: string }>(
      [COLUMNS, CONSTRAINTS, INDEXES, TRIGGERS, PARTITIONS].join(' UNION ALL '),
    );
    const ours = rows.filter((row) => !row.name.includes('_prisma_migrations'));
    return new Map(ours.map((row) => [row.name, row.definition]));
  } finally {
    await client.end();
  }
}

interface CatalogDifference {
  missing: string[];
  extra: string[];
  different: string[];
}

/** Returns what `actual` lacks, has in addition, or has differently from `expected`; names sorted. */
export function compareCatalogs(expected: Catalog, actual: Catalog): CatalogDifference {
  const names = (from: Catalog, keep: (name: string) => boolean) => [...from.keys()].filter(keep).sort();
  return {
    missing: names(expected, (name) => !actual.has(name)),
    extra: names(actual, (name) => !expected.has(name)),
    different: names(expected, (name) => actual.has(name) && actual.get(name) !== expected.get(name)),
  };
}
