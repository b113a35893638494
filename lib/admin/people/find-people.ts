import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import type { FoundPerson } from '@/lib/contract/shapes/person';
import type { Role } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import { literally } from '@/lib/db/literally';
import { transaction } from '@/lib/db/transaction';
import { parseOrderNo } from '@/lib/ids/order-no';
import { orderKey } from '@/lib/order/order-key';
import { type Actor, demand } from '../actor';

const MOST = 20;

/**
 * Finds accounts for staff who help their owners, newest first. That somebody searched, and how many were found, is in
 * the audit log; for what is not, because it may be an address.
 * @param search how the e-mail address begins, an id, or an order number
 */
export async function findPeople(actor: Actor, search: string): Promise<FoundPerson[]> {
  demand(actor, 'seePeople');
  const buyer = await buyerOf(search);
  const rows = await db().user.findMany({
    where: {
      OR: [
        { email: { startsWith: literally(search.toLowerCase()) } },
        { id: search },
        ...(buyer ? [{ id: buyer }] : []),
      ],
    },
    select: { id: true, email: true, name: true, role: true, bannedAt: true },
    orderBy: { id: 'desc' },
    take: MOST,
  });
  await transaction((tx) =>
    recordAction(tx, actor, {
      action: 'person.search',
      subject: { kind: 'people', id: 'search' },
      before: null,
      after: { found: rows.length },
    }),
  );
  return rows.map(({ id, role, bannedAt, ...rest }) => ({
    userId: id,
    ...rest,
    role: role as Role,
    bannedAt: bannedAt?.getTime() ?? null,
  }));
}

async function buyerOf(search: string): Promise<string | null> {
  const orderNo = parseOrderNo(search);
  if (orderNo === null) return null;
  const order = await db().order.findUnique({
    where: { shard_id: orderKey(orderNo) },
    select: { userId: true },
  });
  return order?.userId ?? null;
}
