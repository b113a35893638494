import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import type { PointsView } from '@/lib/contract/shapes/points';
import type { PointsKind } from '@/lib/contract/words/points';
import { db } from '@/lib/db/client';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';

/**
 * Returns a user's points: the balance, and one page of the entries behind it, newest first. @returns null for a
 * cursor of another list.
 */
export async function readPoints(userId: string, { cursor, limit }: Page): Promise<PointsView | null> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  if (before !== undefined && !/^\d{1,18}$/.test(before)) return null;
  const [sum, rows] = await Promise.all([
    db().pointsEntry.aggregate({ where: { userId }, _sum: { points: true } }),
    db().pointsEntry.findMany({
      where: { userId, id: before === undefined ? undefined : { lt: BigInt(before) } },
      orderBy: { id: 'desc' },
      take: limit + 1,
    }),
  ]);
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => String(last.id));
  return {
    balance: sum._sum.points ?? 0,
    entries: page.map(({ orderId, kind, points, createdAt }) => ({
      orderNo: String(orderId),
      kind: kind as PointsKind,
      points,
      createdAt: createdAt.getTime(),
    })),
    nextCursor,
  };
}
