import 'server-only';
import { findUserId } from '@/lib/account/find-user-id';
import { viewUser } from '@/lib/account/list-users';
import { listSessions } from '@/lib/account/sessions/list-sessions';
import { type Actor, demand } from '@/lib/actor/actor';
import { recordLook } from '@/lib/audit/record-look';
import type { Person } from '@/lib/contract/shapes/person';
import { db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import { parseOrderNo } from '@/lib/ids/order-no';
import { listNotifications } from '@/lib/notify/list-notifications';
import { readAdminOrders } from '@/lib/order/admin/list-admin-orders';

const MOST = 20;
/** Refusals are kept by sale: each of these costs a look into an index. */
const MOST_SALES = 500;

/**
 * Reads what staff need to know of a person to help them. The look is in the audit log before anything is shown.
 * @param who e-mail address, id, or number of an order. @returns null if there is no such account
 */
export async function readPerson(actor: Actor, who: string): Promise<Person | null> {
  demand(actor, 'helpPeople');
  const id = (await buyerOf(who)) ?? (await findUserId(who));
  const row = id && (await db().user.findUnique({ where: { id }, omit: { passwordHash: true } }));
  if (!row) return null;
  await recordLook(actor, 'person.read', row.id);
  const [user, sessions, orders, refusals, told] = await Promise.all([
    viewUser(db(), row),
    listSessions(row.id, ''),
    readAdminOrders(null, { user: row.id }, { limit: MOST }),
    readRefusals(row.id),
    listNotifications(row.id, { limit: MOST }),
  ]);
  return {
    user,
    sessions: sessions.map(({ sessionId: _id, isCurrent: _current, ...rest }) => rest),
    orders,
    refusals,
    notices: (told?.notifications ?? []).map(({ kind, orderNo, createdAt, readAt }) => ({
      kind,
      orderNo,
      createdAt,
      readAt,
    })),
  };
}

async function buyerOf(who: string): Promise<string | null> {
  const orderNo = parseOrderNo(who);
  if (orderNo === null) return null;
  const where = { shard_id: orderKey(orderNo) };
  return (await db().order.findUnique({ where, select: { userId: true } }))?.userId ?? null;
}

type Refusal = Person['refusals'][number];

/** Reads the latest refusals in the latest sales; those that the risk rules judged differently are one. */
async function readRefusals(userId: string): Promise<Refusal[]> {
  const rows = await db().$queryRaw<(Omit<Refusal, 'lastAt'> & { lastAt: Date })[]>`
    SELECT r.sale_id AS "saleId", s.title AS "saleTitle", r.place, r.code, sum(r.times)::int AS times,
           max(r.last_at) AS "lastAt"
    FROM (SELECT id, title FROM sales ORDER BY starts_at DESC LIMIT ${MOST_SALES}) s
    JOIN refusals r ON r.sale_id = s.id AND r.user_id = ${userId}
    GROUP BY r.sale_id, s.title, r.place, r.code ORDER BY "lastAt" DESC LIMIT ${MOST}`;
  return rows.map((row) => ({ ...row, lastAt: row.lastAt.getTime() }));
}
