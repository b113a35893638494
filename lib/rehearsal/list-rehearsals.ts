import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import type { Page } from '@/lib/contract/shapes/common';
import type { RehearsalReport, RehearsalView } from '@/lib/contract/shapes/rehearsal';
import type { RehearsalState } from '@/lib/contract/words/rehearsal';
import { db } from '@/lib/db/client';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import type { Rehearsal } from '@/prisma/generated/client';

export type RehearsalRow = Pick<
  Rehearsal,
  'id' | 'state' | 'shoppers' | 'progress' | 'report' | 'createdAt' | 'endedAt'
>;

/** Lists the rehearsals of a sale, latest first. Null if there is no such sale or it is another merchant's. */
export async function listRehearsals(
  actor: Actor,
  saleId: string,
  { cursor, limit }: Page,
): Promise<{ rehearsals: RehearsalView[]; nextCursor: string | null } | null> {
  const sale = await db().sale.findUnique({ where: { id: saleId }, select: { merchantId: true } });
  if (!sale || !(await maySee(actor, sale.merchantId))) return null;
  const rows = await db().rehearsal.findMany({
    // Ids begin with their time.
    where: { saleId, ...(cursor ? { id: { lt: decodeCursor(cursor) } } : {}) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => last.id);
  return {
    rehearsals: page.map(toView),
    nextCursor,
  };
}

export const toView = (row: RehearsalRow): RehearsalView => ({
  rehearsalId: row.id,
  state: row.state as RehearsalState,
  shoppers: row.shoppers,
  progress: row.progress,
  report: row.report as RehearsalReport | null,
  createdAt: row.createdAt.getTime(),
  endedAt: row.endedAt?.getTime() ?? null,
});
