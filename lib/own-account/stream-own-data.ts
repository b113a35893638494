import 'server-only';
import { db } from '@/lib/db/client';
import { Prisma } from '@/prisma/generated/client';
import { SECTIONS, type Section } from './sections';

const PAGE_SIZE = 500;
/** Says which shape a file has; raised when the shape changes. */
export const OWN_DATA_FORMAT = 'seckill-own-data/1';

type Row = { key: string; data: unknown };

/**
 * Makes the file with a person's own data: JSON with a row on each line, piece by piece. Any number of orders takes no
 * more memory than a page of them.
 * @throws connection errors, in the middle, too
 */
export async function* streamOwnData(userId: string, nowMs = Date.now()): AsyncGenerator<string> {
  const about = Object.fromEntries(SECTIONS.map(({ name, says }) => [name, says]));
  const head = { format: OWN_DATA_FORMAT, exportedAt: nowMs, about };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "data": {`;
  for (const [at, section] of SECTIONS.entries()) {
    yield `${at === 0 ? '' : ','}\n    ${JSON.stringify(section.name)}: [`;
    let isFirst = true;
    for await (const rows of readPages(section, userId)) {
      const lines = rows.map(({ data }) => `\n      ${JSON.stringify(data)}`);
      yield `${isFirst ? '' : ','}${lines.join()}`;
      isFirst = false;
    }
    yield isFirst ? ']' : '\n    ]';
  }
  yield '\n  }\n}\n';
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
