import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import type { PointsView } from '@/lib/contract/shapes/points';
import type { PointsKind } from '@/lib/contract/words/points';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import { readLevelRules } from './read-level-rules';

/**
 * Returns a user's points, the level that counts for them, and one page of the entries behind the balance, newest first.
 * @returns null for a cursor of another list.
 */
export async function readPoints(userId: string, { cursor, limit }: Page): Promise<PointsView | null> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  if (before !== undefined && !/^\d{1,18}$/.test(before)) return null;
  const [sum, levels, standing, rows] = await Promise.all([
    db().pointsEntry.aggregate({ where: { userId }, _sum: { points: true } }),
    readLevelRules(),
    readStanding(userId),
    db().pointsEntry.findMany({
      where: { userId, id: before === undefined ? undefined : { lt: BigInt(before) } },
      orderBy: { id: 'desc' },
      take: limit + 1,
    }),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    balance: sum._sum.points ?? 0,
    ...standing,
    levels,
    entries: page.map(({ orderId, kind, points, createdAt }) => ({
      orderNo: String(orderId),
      kind: kind as PointsKind,
      points,
      createdAt: createdAt.getTime(),
    })),
    nextCursor: last && rows.length > limit ? encodeCursor(String(last.id)) : null,
  };
}

/** Returns the level that counts for a user, and when it ends if it was given with an end. */
async function readStanding(userId: string): Promise<Pick<PointsView, 'level' | 'levelUntil'>> {
  const [row] = await db().$queryRaw<{ level: number; earned: number; until: Date | null }[]>`
    SELECT level_of(id, level, level_until) AS level, level_of(id, 0, NULL) AS earned, level_until AS until
    FROM users WHERE id = ${userId}`;
  if (!row) return { level: 0, levelUntil: null };
  return { level: row.level, levelUntil: row.level > row.earned ? (row.until?.getTime() ?? null) : null };
}
