import 'server-only';
import { db } from '@/lib/db/client';
import { SECTIONS, type Section } from './sections';

const PAGE_SIZE = 500;
/** Says which shape a file has; raised when the shape changes. */
export const OWN_DATA_FORMAT = 'seckill-own-data/1';

type Row = { key: string; data: unknown };

/**
 * Makes the file of everything that is kept about a person under their account, as JSON, piece by piece: any number of
 * orders takes no more memory than a page of them.
 * @throws connection errors, in the middle, too
 */
export async function* streamOwnData(userId: string, nowMs = Date.now()): AsyncGenerator<string> {
  const about = Object.fromEntries(SECTIONS.map(({ name, says }) => [name, says]));
  const head = { format: OWN_DATA_FORMAT, exportedAt: nowMs, about };
  yield `${JSON.stringify(head).slice(0, -1)},"data":{`;
  for (const [at, section] of SECTIONS.entries()) {
    yield `${at === 0 ? '' : ','}${JSON.stringify(section.name)}:[`;
    let written = 0;
    for await (const rows of readPages(section, userId)) {
      const text = rows.map(({ data }) => JSON.stringify(data)).join(',');
      yield written === 0 ? text : `,${text}`;
      written += rows.length;
    }
    yield ']';
  }
  yield '}}';
}

async function* readPages({ select }: Section, userId: string): AsyncGenerator<Row[]> {
  for (let after = ''; ; ) {
    const rows = await db().$queryRaw<Row[]>`
      SELECT key, data FROM (${select(userId)}) AS own
      WHERE key COLLATE "C" > ${after} ORDER BY key COLLATE "C" LIMIT ${PAGE_SIZE}`;
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < PAGE_SIZE) return;
    after = last.key;
  }
}
