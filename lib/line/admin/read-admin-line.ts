import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import type { AdminLine } from '@/lib/contract/shapes/line';
import { db } from '@/lib/db/client';
import { countPlaces } from '@/lib/line/records/count-places';
import { expectedWait } from '@/lib/line/records/expected-wait';
import { paceOf } from '@/lib/line/records/pace';
import { placesOf } from '@/lib/line/records/places';
import { type LineRow, toLineHead } from '@/lib/line/records/to-line-head';

type Row = LineRow & { settings_version: number; machine_rate: number };
type Counts = { entered: number; joined_last: number; gone: number };

export type AdminLineResult = { status: 'found'; line: AdminLine } | { status: 'not_found' | 'no_line' };

const MINUTE_MS = 60_000;

/** Reads a sale's line as staff see it. @throws connection errors */
export async function readAdminLine(actor: Actor, saleId: string): Promise<AdminLineResult> {
  const sale = await db().sale.findUnique({ where: { id: saleId }, select: { merchantId: true } });
  if (!sale || !(await maySee(actor, sale.merchantId))) return { status: 'not_found' };
  const [[row], [counts]] = await Promise.all([
    db().$queryRaw<Row[]>`SELECT *, clock_timestamp() AS read_at FROM lines WHERE sale_id = ${saleId}`,
    db().$queryRaw<Counts[]>`
      SELECT count(*) FILTER (WHERE entered_at IS NOT NULL)::int AS entered,
             count(*) FILTER (WHERE joined_at > now() - interval '1 minute')::int AS joined_last,
             count(*) FILTER (WHERE left_at IS NOT NULL AND entered_at IS NULL)::int AS gone
      FROM line_entries WHERE sale_id = ${saleId}`,
  ]);
  if (!row || !counts) return { status: 'no_line' };
  const head = toLineHead(row);
  const places = await placesOf(head);
  const { admitted, lapsed, steps, readAt, joined } = head;
  // The turns of lapsed places are over. People who left before their turn are in both counts.
  const lapsedUnused = places ? await countPlaces(saleId, places, { from: 0, to: lapsed }, 'idle') : 0;
  const goneAhead = places ? await countPlaces(saleId, places, { from: 0, to: admitted }, 'left') : 0;
  const waiting = Math.max(0, joined - admitted - (counts.gone - goneAhead));
  const before = steps.findLast(([at]) => at <= readAt - MINUTE_MS)?.[1] ?? 0;
  const pace = paceOf(steps, readAt);
  const wait = waiting > 0 ? expectedWait(waiting - 1, pace) : null;
  return {
    status: 'found',
    line: {
      perMinute: head.perMinute,
      held: head.held,
      opened: head.opened,
      closed: head.closed,
      version: row.settings_version,
      early: head.early,
      joined,
      joinedLastMinute: counts.joined_last,
      waiting,
      admitted: Math.max(0, admitted - goneAhead),
      entered: counts.entered,
      gaveUp: counts.gone + lapsedUnused,
      admittedLastMinute: admitted - before,
      pace,
      machineRate: row.machine_rate,
      endsInMinutes: wait,
      asOf: readAt,
    },
  };
}
