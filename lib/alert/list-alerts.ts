import 'server-only';
import type { AdminAlertPage, AlertFilter } from '@/lib/contract/shapes/alert';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import type { Prisma } from '@/prisma/generated/client';
import { type AlertView, toView } from './types';

/**
 * Returns one page of alerts, newest first, and the number of firing ones that nobody has acknowledged, whatever the
 * filter.
 * @param saleIds only alerts about these; null = all. @returns null for a foreign cursor.
 */
export async function listAlerts(
  { cursor, limit }: Page,
  { state, rule, saleId }: AlertFilter,
  saleIds: readonly string[] | null,
): Promise<(Omit<AdminAlertPage, 'alerts'> & { alerts: AlertView[] }) | null> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  if (before !== undefined && !/^\d{1,18}$/.test(before)) return null;
  const visible: Prisma.AlertWhereInput = saleIds === null ? {} : { saleId: { in: [...saleIds] } };
  const isFiring: Prisma.AlertWhereInput = { AND: visible, state: 'firing' };
  const [rows, firing, unacknowledged] = await Promise.all([
    db().alert.findMany({
      where: {
        AND: [visible, { saleId }],
        rule,
        state: state === 'all' ? undefined : state === 'active' ? { not: 'resolved' } : state,
        id: before === undefined ? undefined : { lt: BigInt(before) },
      },
      orderBy: { id: 'desc' },
      take: limit + 1,
    }),
    db().alert.count({ where: isFiring }),
    db().alert.count({ where: { ...isFiring, acknowledgedAt: null } }),
  ]);
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => String(last.id));
  return {
    alerts: page.map(toView),
    nextCursor,
    firing,
    unacknowledged,
  };
}
