import 'server-only';
import { db } from '@/lib/db/client';
import { placesOf } from '@/lib/line/records/places';
import { readNonces } from '@/lib/line/records/shuffle-line';
import { type LineRow, toLineHead } from '@/lib/line/records/to-line-head';
import type { LineHead } from '@/lib/line/records/types';
import { TOKEN_MS } from '@/lib/line/records/types';
import { digestNonces } from '@/lib/shuffle/digest-nonces';

import { fault } from './faults';

type LinesVerification = { ok: boolean; detail: string };
/** The first finding of a line in words; null: none. */
type Finding = string | null;

/** Orders tell by Redis's clock when they were accepted, entries by Postgres's; requests take their time. */
const CLOCKS_APART_MS = 10_000;
const PAGE = 50_000;
const EXAMPLES = 5;

/**
 * Recomputes every waiting room that was ever opened. Numbers stand once and without a gap; early joins, digest and
 * order follow from the stored values; nobody has two places, or another's; nobody came in out of turn; and every buyer
 * had come in. Waiting rooms that change meanwhile are read again.
 * @param saleId this sale's alone. @throws connection errors
 */
export async function verifyLines(saleId?: string): Promise<LinesVerification> {
  const rows = await db().$queryRaw<{ sale_id: string }[]>`
    SELECT l.sale_id FROM lines l JOIN sales s ON s.id = l.sale_id
    WHERE s.admission = 'waiting_room' AND (${saleId ?? null}::text IS NULL OR l.sale_id = ${saleId ?? null})
    ORDER BY l.sale_id`;
  const found: string[] = [];
  for (const { sale_id: id } of rows) {
    const finding = await verifyLine(id);
    if (finding) found.push(`${id}: ${finding}`);
  }
  if (found.length === 0)
    return { ok: true, detail: `${rows.length} waiting rooms, every place where it belongs` };
  const more = found.length - EXAMPLES;
  return {
    ok: false,
    detail: [...found.slice(0, EXAMPLES), ...(more > 0 ? [`and ${more} more`] : [])].join('; '),
  };
}

async function verifyLine(saleId: string): Promise<Finding> {
  // One snapshot, so that a line that moves can't look broken.
  return db().$transaction(
    async (tx) => {
      const [row] = await tx.$queryRaw<LineRow[]>`
        SELECT *, clock_timestamp() AS read_at FROM lines WHERE sale_id = ${saleId}`;
      if (!row) return null;
      const line = toLineHead(row);
      return (await checkNumbers(tx, line)) ?? (await checkShuffle(tx, line)) ?? (await checkTurns(tx, line));
    },
    { isolationLevel: 'RepeatableRead', timeout: 60_000 },
  );
}

type Tx = Pick<ReturnType<typeof db>, '$queryRaw'> & Parameters<typeof readNonces>[0];

async function checkNumbers(tx: Tx, { saleId, joined }: LineHead): Promise<Finding> {
  const [numbers] = await tx.$queryRaw<{ count: number; next: number }[]>`
    SELECT count(*)::int AS count, coalesce(max(number) + 1, 0)::int AS next FROM line_entries WHERE sale_id = ${saleId}`;
  if (numbers?.count !== joined || numbers.next !== joined)
    return fault('numbers_given', {
      joined,
      there: numbers?.count ?? 0,
      next: numbers?.next ?? 0,
    });
  const [twice] = await tx.$queryRaw<{ user_id: string }[]>`
    SELECT user_id FROM line_entries WHERE sale_id = ${saleId} AND left_at IS NULL
    GROUP BY user_id HAVING count(*) > 1 LIMIT 1`;
  if (twice) return fault('two_places', { userId: twice.user_id });
  const [disordered] = await tx.$queryRaw<{ number: number }[]>`
    SELECT number FROM (
      SELECT number, joined_at, max(joined_at) OVER (ORDER BY number ROWS UNBOUNDED PRECEDING) AS latest
      FROM line_entries WHERE sale_id = ${saleId}) n
    WHERE joined_at < latest - interval '1 second' LIMIT 1`;
  return disordered ? fault('joined_before', { number: disordered.number }) : null;
}

async function checkShuffle(tx: Tx, line: LineHead): Promise<Finding> {
  const { saleId, early, shuffledWith } = line;
  if (early === null || !shuffledWith) return line.admitted > 0 ? fault('admitted_before') : null;
  const [came] = await tx.$queryRaw<{ early: number }[]>`
    SELECT coalesce(max(e.number) + 1, 0)::int AS early FROM line_entries e JOIN sales s ON s.id = e.sale_id
    WHERE e.sale_id = ${saleId} AND e.joined_at < s.starts_at`;
  if (came?.early !== early) return fault('early_counted', { early, came: came?.early ?? 0 });
  const digest = Buffer.from(await digestNonces(await readNonces(tx, saleId, early))).toString('hex');
  if (digest !== shuffledWith.noncesDigest) return fault('digest_differs');
  return null;
}

async function checkTurns(tx: Tx, line: LineHead): Promise<Finding> {
  const { saleId, joined, admitted, lapsed, stoodMs } = line;
  if (admitted > joined || lapsed > admitted) return fault('admitted_too_many', { admitted, joined, lapsed });
  const places = await placesOf(line);
  for (let after = -1; ; ) {
    const rows = await tx.$queryRaw<{ number: number }[]>`
      SELECT number FROM line_entries WHERE sale_id = ${saleId} AND entered_at IS NOT NULL AND number > ${after}
      ORDER BY number LIMIT ${PAGE}`;
    const early = rows.find(({ number }) => !places || places.placeOf(number) >= admitted);
    if (early) return fault('out_of_turn', { number: early.number });
    if (rows.length < PAGE) break;
    after = rows.at(-1)?.number ?? after;
  }
  const [stranger] = await tx.$queryRaw<{ id: bigint }[]>`
    SELECT o.id FROM orders o WHERE o.sale_id = ${saleId} AND NOT EXISTS (
      SELECT 1 FROM line_entries e WHERE e.sale_id = o.sale_id AND e.user_id = o.user_id
        AND e.entered_at <= o.accepted_at + make_interval(secs => ${CLOCKS_APART_MS / 1_000})
        AND e.entered_at >= o.accepted_at - make_interval(secs => ${(TOKEN_MS + CLOCKS_APART_MS + stoodMs) / 1_000}))
      AND NOT EXISTS (SELECT 1 FROM waitlist_entries w WHERE w.sale_id = o.sale_id AND w.order_no = o.id)
    LIMIT 1`;
  return stranger ? fault('not_come_in', { order: String(stranger.id) }) : null;
}
