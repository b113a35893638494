import { findSignedIn } from '@/lib/access/find-signed-in';
import * as contract from '@/lib/contract/operations';
import type { Visit } from '@/lib/contract/shapes/account';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import { countUnread } from '@/lib/notify/count-unread';
import { findReservation } from '@/lib/reservation/find-reservation';
import { followedSales } from '@/lib/sale/follow-sales';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { serve } from '../serve';

const NOBODY = { user: null, expiresAt: null, unread: null, reservation: null };

/** Answers all that a page asks about its visitor at once. */
export const servedVisit = serve(contract.readVisit, async ({ request, query: { slug } }) => {
  const found = await findSignedIn(request.headers);
  if (!found) return { ...NOBODY, signInServer: env().openId?.name ?? null };
  // A crowd on a sale's page makes the fewest reads there can be.
  const known = { ...found, signInServer: null };
  if (slug === undefined)
    return { ...known, unread: await unlessAway(countUnread(found.user.id)), reservation: null };
  return { ...known, unread: null, reservation: await unlessAway(reservationOf(found.user.id, slug)) };
});

/** Returns null for a sale that takes no reservations, or that this process does not follow. */
async function reservationOf(userId: string, slug: string): Promise<Visit['reservation']> {
  const saleId = followedSales().list.idOf(slug);
  const sale = saleId === undefined ? null : await findSaleInfo(saleId);
  if (!sale?.reservation) return null;
  return { saleId: sale.saleId, reservedAt: await findReservation(sale, userId) };
}

/** A page shows who is signed in even while the rest can't be read; it asks for that again. */
const unlessAway = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (isOutage(error)) return null;
    throw error;
  });
