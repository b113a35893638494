import { mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';
import { Problem } from '../infra/problem.mjs';
import { applyMigrations } from '../migrate/apply-migrations';
import { copyIn } from './copy-in';
import { demandEmpty } from './demand-empty';
import { holdNotices } from './hold-notices';
import { SECRETS_FILE } from './list-files';
import { fileName, type Manifest } from './manifest';
import { openBackup } from './open-backup';
import { connectForCopy } from './open-snapshot';
import { quoted } from './read-layout';
import { replaceFile } from './replace-file';
import { replaceRows } from './replace-rows';

/**
 * A Redis that was kept has sold since the backup, under an epoch that Postgres knows, too. Under another one each sale
 * is loaded anew, together with every purchase of which Redis alone knows. Far beyond, because each loading since the
 * backup was another epoch.
 */
const RELOAD = "UPDATE sales SET epoch = epoch + 1000 WHERE status <> 'draft'";
/** A slice has an epoch of its own; 0: it was never loaded. */
const RELOAD_SLICES = `
  UPDATE sales SET slice_epochs = ARRAY(
    SELECT each + 1000 * (each > 0)::int FROM unnest(slice_epochs) WITH ORDINALITY AS s (each, nth) ORDER BY nth)
  WHERE status <> 'draft' AND slices > 1`;

/** SQLSTATE */
const DISK_FULL = '53100';

type LoadOptions = {
  file: string;
  passphrase: string;
  /** The manifest of `file`, as `checkBackup` returned it. */
  manifest: Manifest;
  databaseUrl: string;
  dataDir: string;
  onPart?: (name: string) => void;
};

/**
 * Restores a checked backup into an empty database: applies the migrations that the backup had, fills the tables in one
 * transaction, then applies the newer ones. Triggers and constraints hold as always; none is switched off, since that
 * takes rights which a managed Postgres does not give. Holds notices back, then writes media and mails.
 * @returns the tables left out, because no migration makes them.
 */
export async function loadBackup(options: LoadOptions): Promise<string[]> {
  const { file, passphrase, manifest, databaseUrl, dataDir, onPart = () => {} } = options;
  const client = await connectForCopy(databaseUrl);
  try {
    await demandEmpty(client, manifest.migrations);
    onPart('the migrations');
    const had = new Set(manifest.migrations);
    await applyMigrations(databaseUrl, undefined, (name) => had.has(name));
    const foreign = await findForeign(client, manifest);
    const ours = manifest.tables.filter(({ name }) => !foreign.includes(name));
    const tables = new Map(ours.map((table) => [table.name, table]));
    const waiting = new Set(tables.keys());
    await client.query('BEGIN');
    // The backup has the decisions of its orders: the triggers that log new ones leave these out.
    await client.query("SET LOCAL seckill.restoring = 'on'");
    await openBackup(file, passphrase, async ({ name, data }) => {
      const table = tables.get(name);
      const part = manifest.files.find((known) => known.name === name);
      if (table) {
        onPart(name);
        const rows = await fill(client, table, data);
        if (rows !== table.rows) throw new Error(`${name}: ${rows} rows instead of ${table.rows}`);
        waiting.delete(name);
      } else if (part && name !== fileName(SECRETS_FILE)) {
        onPart(name);
        await writeFile(dataDir, name.slice(fileName('').length), data);
      } else {
        for await (const _ of data);
      }
    });
    // The file was read to its authentic end.
    if (waiting.size > 0) throw new Error(`not in the file: ${[...waiting]}`);
    await setSequences(client, manifest);
    await client.query(RELOAD);
    if (columnsOf(manifest, 'sales').includes('slice_epochs')) await client.query(RELOAD_SLICES);
    const isHeld = await holdNotices(client);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    await applyMigrations(databaseUrl);
    if (!isHeld) await holdNotices(client);
    return foreign;
  } catch (error) {
    throw (error as { code?: string }).code === DISK_FULL
      ? new Problem('The disk of the database is full: free some space there and restore again.')
      : error;
  } finally {
    await client.end().catch(() => {});
  }
}

const columnsOf = ({ tables }: Manifest, name: string): string[] =>
  tables.find(({ schema, table }) => schema === 'public' && table === name)?.columns ?? [];

/** Returns the names of parts whose table the migrations did not make. */
async function findForeign(client: pg.Client, { tables }: Manifest): Promise<string[]> {
  const names = tables.map((table) => quoted(table).name);
  const { rows } = await client.query<{ at: number }>(
    'SELECT at::int - 1 AS at FROM unnest($1::text[]) WITH ORDINALITY AS t (name, at) WHERE to_regclass(name) IS NULL',
    [names],
  );
  return rows.flatMap(({ at }) => tables[at]?.name ?? []);
}

async function fill(
  client: pg.Client,
  table: Manifest['tables'][number],
  data: AsyncIterable<Buffer>,
): Promise<number> {
  const { name, columns } = quoted(table);
  const { rows } = await client.query(`SELECT EXISTS (SELECT FROM ${name}) AS "isFilled"`);
  // Migrations write some rows, and append-only tables take no DELETE.
  if (rows[0]?.isFilled) return replaceRows(client, table, data);
  return copyIn(client, `COPY ${name} (${columns}) FROM STDIN`, data);
}

async function setSequences(client: pg.Client, { sequences }: Manifest): Promise<void> {
  for (const { schema, name, value } of sequences) {
    if (value === null) continue;
    const sequence = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
    // A sequence of a table that was left out is not there.
    await client.query(
      'SELECT setval(found, $2::bigint, true) FROM to_regclass($1) AS found WHERE found IS NOT NULL',
      [sequence, value],
    );
  }
}

async function writeFile(dataDir: string, path: string, data: AsyncIterable<Buffer>): Promise<void> {
  const target = join(dataDir, path);
  if (relative(dataDir, target).startsWith('..')) throw new Error(`${path} is outside of the data directory`);
  mkdirSync(dirname(target), { recursive: true });
  await replaceFile(target, data, true);
}
