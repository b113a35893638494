import pg from 'pg';
import { copyIn } from './copy-in';
import type { Table } from './manifest';
import { quoted } from './read-layout';

const PRIMARY_KEY = `
  SELECT a.attname AS name FROM pg_index i
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
  WHERE i.indrelid = $1::regclass AND i.indisprimary`;

/**
 * Replaces the rows that migrations wrote into a table by those of a backup, by its primary key: rows of both are
 * updated, since some tables refuse every DELETE. In the client's transaction.
 * @returns how many rows the backup has.
 */
export async function replaceRows(
  client: pg.Client,
  table: Table,
  data: AsyncIterable<Buffer>,
): Promise<number> {
  const { name, columns } = quoted(table);
  const staged = pg.escapeIdentifier(`restored_${table.table}`);
  await client.query(`CREATE TEMP TABLE ${staged} (LIKE ${name}) ON COMMIT DROP`);
  const count = await copyIn(client, `COPY ${staged} (${columns}) FROM STDIN`, data);
  const { rows } = await client.query<{ name: string }>(PRIMARY_KEY, [name]);
  const key = rows.map((row) => pg.escapeIdentifier(row.name));
  const isSame = key.map((column) => `old.${column} = new.${column}`).join(' AND ');
  const others = columns.split(', ').filter((column) => !key.includes(column));
  const gone = `FROM ${name} old WHERE NOT EXISTS (SELECT FROM ${staged} new WHERE ${isSame})`;
  const { rows: left } = await client.query(`SELECT EXISTS (SELECT ${gone}) AS "isAny"`);
  if (left[0]?.isAny) await client.query(`DELETE ${gone}`);
  const change = others.length
    ? `DO UPDATE SET ${others.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}`
    : 'DO NOTHING';
  await client.query(
    `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${staged}
     ON CONFLICT (${key.join(', ')}) ${change}`,
  );
  return count;
}
