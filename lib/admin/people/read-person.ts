import 'server-only';
import { readSavedAddress } from '@/lib/account/saved-address';
import { listSessions } from '@/lib/account/sessions/list-sessions';
import { viewUser } from '@/lib/account/view-users';
import { recordAction } from '@/lib/audit/record-action';
import { type Person, person } from '@/lib/contract/shapes/person';
import type { NoticeKind } from '@/lib/contract/words/notice';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { type Actor, demand } from '../actor';
import { readAdminOrders } from '../orders/list-admin-orders';

const MOST = 20;
/** Refusals are kept by sale: each of these costs a look into an index. */
const MOST_SALES = 500;

/**
 * Reads what staff need to know of somebody to help them. The look is in the audit log before anything is shown.
 * @returns null: there is no such account
 */
export async function readPerson(actor: Actor, userId: string): Promise<Person | null> {
  demand(actor, 'seePeople');
  const row = await db().user.findUnique({ where: { id: userId }, omit: { passwordHash: true } });
  if (!row) return null;
  await transaction((tx) =>
    recordAction(tx, actor, {
      action: 'person.read',
      subject: { kind: 'user', id: userId },
      before: null,
      after: null,
    }),
  );
  const [user, address, sessions, orders, refusals, notices] = await Promise.all([
    viewUser(row),
    readSavedAddress(userId),
    listSessions(userId, ''),
    readAdminOrders(actor, { user: userId }, { limit: MOST }),
    readRefusals(userId),
    db().notification.findMany({ where: { userId }, orderBy: { id: 'desc' }, take: MOST }),
  ]);
  return {
    user,
    deletedAt: row.deletedAt?.getTime() ?? null,
    address,
    // Leaves out what the contract does not name.
    ...person.pick({ sessions: true, orders: true }).parse({ sessions, orders }),
    refusals,
    notices: notices.map(({ kind, orderId, createdAt, readAt }) => ({
      kind: kind as NoticeKind,
      orderNo: orderId === 0n ? null : String(orderId),
      at: createdAt.getTime(),
      readAt: readAt?.getTime() ?? null,
    })),
  };
}

type RefusalRow = Omit<Person['refusals'][number], 'firstAt' | 'lastAt'> & { firstAt: Date; lastAt: Date };

async function readRefusals(userId: string): Promise<Person['refusals']> {
  const rows = await db().$queryRaw<RefusalRow[]>`
    SELECT r.sale_id AS "saleId", s.title AS "saleTitle", r.place, r.code, r.times, r.first_at AS "firstAt",
           r.last_at AS "lastAt"
    FROM (SELECT id, title FROM sales ORDER BY starts_at DESC LIMIT ${MOST_SALES}) s
    JOIN refusals r ON r.sale_id = s.id AND r.user_id = ${userId}
    ORDER BY r.last_at DESC LIMIT ${MOST}`;
  return rows.map((row) => ({ ...row, firstAt: row.firstAt.getTime(), lastAt: row.lastAt.getTime() }));
}
