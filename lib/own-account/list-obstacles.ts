import 'server-only';
import { toLocale } from '@/lib/account/user-locale';
import type { DeletionView } from '@/lib/contract/shapes/account';
import type { SaleTitles } from '@/lib/contract/shapes/by-language';
import { may, type Permission, type Role } from '@/lib/contract/words/roles';
import type { Db } from '@/lib/db/client';
import { shardOf } from '@/lib/ids/shard-of';
import { shopsLedAlone } from '@/lib/shop/records/owners';

/** Lists a user's orders that wait for payment, the most urgent first. Purchases that are not written yet are left out. */
export async function listUnpaidOrders(
  tx: Db,
  userId: string,
  most: number,
): Promise<DeletionView['unpaidOrders']> {
  const orders = await tx.order.findMany({
    where: { shard: shardOf(userId), userId, status: 'pending_payment' },
    select: {
      id: true,
      payBy: true,
      sale: { select: { title: true, titles: true } },
      user: { select: { locale: true } },
    },
    orderBy: { payBy: 'asc' },
    take: most,
  });
  return orders.map(({ id, payBy, sale, user }) => ({
    orderNo: String(id),
    title: (sale.titles as SaleTitles)[toLocale(user.locale)] ?? sale.title,
    payBy: payBy.getTime(),
  }));
}

type Person = { userId: string; role: Role };

/** Returns the shops that a person leads alone, if their role still lets them do something there. */
const ledBy = async (tx: Db, { userId, role }: Person, what: Permission): Promise<string[]> =>
  may(role, what) ? shopsLedAlone(tx, userId) : [];

/** Lists the published sales that are not closed of the shops a person leads alone: they need somebody who answers for them. */
export async function listLiveSales(
  tx: Db,
  person: Person,
  most: number,
): Promise<DeletionView['liveSales']> {
  const sales = await tx.sale.findMany({
    where: { merchantId: { in: await ledBy(tx, person, 'manageSales') }, status: 'published' },
    select: { id: true, title: true },
    orderBy: { startsAt: 'asc' },
    take: most,
  });
  return sales.map(({ id, title }) => ({ saleId: id, title }));
}

/** Lists the shops that a person leads alone and that have other members: those need an owner. */
export async function listLedShops(tx: Db, person: Person): Promise<DeletionView['ledShops']> {
  const shops = await tx.shop.findMany({
    where: {
      id: { in: await ledBy(tx, person, 'manageShop') },
      members: { some: { userId: { not: person.userId }, user: { deletedAt: null } } },
    },
    orderBy: { id: 'asc' },
  });
  return shops.map(({ id, name }) => ({ shopId: id, name }));
}
