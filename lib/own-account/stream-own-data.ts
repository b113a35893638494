import 'server-only';
import { db } from '@/lib/db/client';
import { zipPieces } from '@/lib/http/zip-pieces';
import { Prisma } from '@/prisma/generated/client';
import { SECTIONS, type Section } from './sections';

const PAGE_SIZE = 500;
/** Says which shape a file has; raised when the shape changes. */
export const OWN_DATA_FORMAT = 'seckill-own-data/2';

type Row = { key: string; data: unknown };

/**
 * Makes the file with a person's own data: a ZIP with a JSON file for each part, and one that says what they hold. It comes piece
 * by piece: any number of orders takes no more memory than a page of them.
 * @throws connection errors, in the middle, too
 */
export function streamOwnData(userId: string, nowMs = Date.now()): AsyncGenerator<Uint8Array> {
  const about = Object.fromEntries(SECTIONS.map(({ name, says }) => [`${name}.json`, says]));
  const head = { format: OWN_DATA_FORMAT, exportedAt: nowMs, about };
  return zipPieces(
    [
      { name: 'about.json', pieces: [`${JSON.stringify(head, null, 2)}\n`] },
      ...SECTIONS.map((section) => ({ name: `${section.name}.json`, pieces: streamRows(section, userId) })),
    ],
    new Date(nowMs),
  );
}

/** Makes a JSON list with a row on each line. */
async function* streamRows(section: Section, userId: string): AsyncGenerator<string> {
  let before = '[';
  for await (const rows of readPages(section, userId)) {
    yield before + rows.map(({ data }) => `\n${JSON.stringify(data)}`).join();
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

async function* readPages({ row, of, key: { kind, by } }: Section, userId: string): AsyncGenerator<Row[]> {
  const isNumber = kind === 'number';
  const order = isNumber ? by : Prisma.sql`(${by}) COLLATE "C"`;
  for (let after = isNumber ? '-1' : ''; ; ) {
    const rest = isNumber ? Prisma.sql`${after}::text::bigint` : Prisma.sql`${after}::text`;
    const rows = await db().$queryRaw<Row[]>`
      SELECT (${by})::text AS key, ${row} AS data FROM ${of(userId)} AND ${order} > ${rest}
      ORDER BY ${order} LIMIT ${PAGE_SIZE}`;
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < PAGE_SIZE) return;
    after = last.key;
  }
}
