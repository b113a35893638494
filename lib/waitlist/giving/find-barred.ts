import 'server-only';
import { readMembers } from '@/lib/account/read-members';
import { findBlocked } from '@/lib/block/find-blocked';
import { nowMs } from '@/lib/clock';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import type { WhyPassed } from '@/lib/contract/words/waitlist';
import { findLeft } from '@/lib/draw/records/find-left';
import { findReservation } from '@/lib/reservation/find-reservation';
import { findUnmetThreshold } from '@/lib/sale/records/find-unmet-threshold';
import { readOrigins } from '@/lib/waitlist/records/origins';
import type { Place } from '@/lib/waitlist/records/types';

/**
 * Finds who of those who are due a unit may not buy in a sale any more: everything that an entry asks of an account is
 * asked again, except what was solved or spent then (challenges and rate limits). Device and address are those from which
 * the place was taken, as far as they are still known.
 * @returns the ids of the users, and why each may not. @throws connection errors
 */
export async function findBarred(
  sale: SaleInfo,
  people: readonly Pick<Place, 'userId' | 'orderNo'>[],
): Promise<Map<string, WhyPassed>> {
  if (people.length === 0) return new Map();
  const { saleId } = sale;
  const userIds = people.map(({ userId }) => userId);
  const [members, origins, left] = await Promise.all([
    readMembers(userIds),
    readOrigins(saleId, userIds),
    ADMISSIONS[sale.admission].isDrawn ? findLeft(saleId, people) : new Set<string>(),
  ]);
  const blocked = await findBlocked(
    userIds.map((userId) => ({ userId, device: '', address: null, ...origins.get(userId) })),
  );
  const now = nowMs();
  const barred = await Promise.all(
    userIds.map(async (userId): Promise<[string, WhyPassed | null]> => {
      const member = members.get(userId);
      if (!member) return [userId, 'no_account'];
      if (member.isBanned) return [userId, 'banned'];
      if (blocked.has(userId)) return [userId, 'blocked'];
      if (left.has(userId)) return [userId, 'left'];
      const unmet = findUnmetThreshold(sale, member, now);
      if (unmet) return [userId, unmet.status];
      const isMissing = sale.reservation !== null && (await findReservation(sale, userId)) === null;
      return [userId, isMissing ? 'not_reserved' : null];
    }),
  );
  return new Map(barred.filter((one): one is [string, WhyPassed] => one[1] !== null));
}
