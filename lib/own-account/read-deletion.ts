import 'server-only';
import { countOtherAdmins } from '@/lib/account/count-other-admins';
import type { CurrentUser } from '@/lib/account/types';
import type { DeletionView } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';
import { listLedShops, listLiveSales, listUnpaidOrders } from './list-obstacles';

/** Rows of each kind that are named; the page needs no more to say what is open. */
const MOST = 50;

type Place = DeletionView['places'][number];

/** Tells what stands in the way of deleting an account, and which places it would leave. @throws connection errors */
export async function readDeletion(user: CurrentUser): Promise<DeletionView> {
  const { userId, role } = user;
  const [unpaidOrders, liveSales, ledShops, places, { isDemo, secondFactorAt }, otherAdmins] =
    await Promise.all([
      listUnpaidOrders(db(), userId, MOST),
      listLiveSales(db(), user, MOST),
      listLedShops(db(), user),
      listPlaces(userId),
      db().user.findUniqueOrThrow({ where: { id: userId }, select: { isDemo: true, secondFactorAt: true } }),
      role === 'admin' ? countOtherAdmins(db(), userId) : null,
    ]);
  const isLastAdmin = otherAdmins === 0;
  return {
    unpaidOrders,
    liveSales,
    ledShops,
    places,
    needsCode: secondFactorAt !== null,
    isLastAdmin,
    isDemo,
  };
}

/** Lists the places that still lead to a unit: a wait in a room, a draw that is to come, a wait for what comes back. */
const listPlaces = (userId: string): Promise<Place[]> =>
  db().$queryRaw`
    SELECT s.id AS "saleId", s.slug, coalesce(s.titles ->> u.locale, s.title) AS title, p.kind FROM (
      SELECT l.sale_id, o.admission AS kind FROM line_entries l JOIN sales o ON o.id = l.sale_id
      WHERE l.user_id = ${userId} AND l.left_at IS NULL AND l.entered_at IS NULL AND l.place IS NULL
      UNION
      SELECT sale_id, 'waitlist' FROM waitlist_entries
      WHERE user_id = ${userId} AND left_at IS NULL AND given_at IS NULL AND passed_at IS NULL) AS p (sale_id, kind)
    JOIN sales s ON s.id = p.sale_id AND s.status = 'published' AND s.ends_at > now()
    JOIN users u ON u.id = ${userId}
    ORDER BY s.ends_at, s.id LIMIT ${MOST}`;
