import type { Actor } from '@/lib/actor/actor';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { makeSale } from './make-sale';

type Options = { opensIn?: number; closesIn?: number; startsIn?: number } & Record<string, unknown>;

/**
 * For tests: creates a sale that starts in an hour and takes reservations for the first half of it, unless the
 * options say otherwise (ms from now).
 */
export async function reservable(options: Options = {}): Promise<{ saleId: string; merchant: Actor }> {
  const { opensIn = -1_000, closesIn = 1_800_000, startsIn = 3_600_000, ...input } = options;
  const now = Date.now();
  const { sale, merchant } = await makeSale({
    startsAt: now + startsIn,
    endsAt: now + startsIn + 3_600_000,
    reservation: { opensAt: now + opensIn, closesAt: now + closesIn },
    ...input,
  });
  return { saleId: sale.saleId, merchant };
}

/** Moves a sale's reservation window, as if time had passed. */
export async function windowOf(
  { saleId }: { saleId: string },
  { opensIn, closesIn }: { opensIn: number; closesIn: number },
): Promise<void> {
  const [reservationOpensAt, reservationClosesAt] = [opensIn, closesIn].map(
    (ms) => new Date(Date.now() + ms),
  );
  await db().sale.update({ where: { id: saleId }, data: { reservationOpensAt, reservationClosesAt } });
  await forgetSaleInfo(saleId);
}

/** Creates this many users. */
export async function usersOf(count: number): Promise<string[]> {
  const userIds = Array.from({ length: count }, () => newId('user'));
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash)
    SELECT id, id || '@example.com', 'Test', '!' FROM unnest(${userIds}::text[]) AS u (id)`;
  return userIds;
}
