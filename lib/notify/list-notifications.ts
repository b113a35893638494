import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import type { NotificationPage, NotificationView } from '@/lib/contract/shapes/notice';
import type { NoticeKind } from '@/lib/contract/words/notice';
import { db } from '@/lib/db/client';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import { countUnread } from './count-unread';

type Data = Pick<NotificationView, 'saleSlug' | 'saleTitle' | 'amountMinor' | 'currency' | 'payBy'>;

/** Reads one page of a user's notices, newest first, and how many of all are unread. @returns null for a foreign cursor. */
export async function listNotifications(
  userId: string,
  { cursor, limit }: Page,
): Promise<NotificationPage | null> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  if (before !== undefined && !/^\d{1,18}$/.test(before)) return null;
  const [unread, rows] = await Promise.all([
    countUnread(userId),
    db().notification.findMany({
      where: { userId, id: before === undefined ? undefined : { lt: BigInt(before) } },
      orderBy: { id: 'desc' },
      take: limit + 1,
    }),
  ]);
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => String(last.id));
  return {
    notifications: page.map((row) => ({
      id: String(row.id),
      kind: row.kind as NoticeKind,
      orderNo: String(row.orderId),
      ...(row.data as Data),
      createdAt: row.createdAt.getTime(),
      readAt: row.readAt?.getTime() ?? null,
    })),
    unread,
    nextCursor,
  };
}
