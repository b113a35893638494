import 'server-only';
import { findUserId } from '@/lib/account/find-user-id';
import { type Actor, maySee, seesAll } from '@/lib/actor/actor';
import { recordLook } from '@/lib/audit/record-look';
import { idTimeMs } from '@/lib/cache/id-time';
import { nowMs } from '@/lib/clock';
import type { Taken, Trace, TracedAttempt } from '@/lib/contract/shapes/attempt';
import { RISK_CLASSES, type RiskClass } from '@/lib/contract/words/attempt';
import { db } from '@/lib/db/client';
import { KEEP_DAYS } from '@/lib/refusal/prune-refusals';
import { countLost } from '@/lib/refusal/read-refusals';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { readStories } from '@/lib/waitlist/records/read-stories';
import { type Attempt, traceAttempts } from '@/lib/why/trace-attempts';
import { countTaken } from './count-taken';

const DAY_MS = 86_400_000;

type TraceResult = { status: 'traced'; trace: Trace } | { status: 'sale_not_found' | 'user_not_found' };

/**
 * Explains why a shopper did or didn't get a unit of a sale, for staff who answer them: each attempt with its moment,
 * its answer, the units left and the units gone. Merchants can ask only about accounts that came to their sale.
 * @param user id or e-mail address. @throws when Postgres can't be reached.
 */
export async function traceShopper(actor: Actor, saleId: string, user: string): Promise<TraceResult> {
  const [sale, userId] = await Promise.all([findSaleInfo(saleId), findUserId(user)]);
  if (!sale || !(await maySee(actor, sale.merchantId))) return { status: 'sale_not_found' };
  if (userId === null) return { status: 'user_not_found' };
  const [account, attempts, waitlist, reservation, lost] = await Promise.all([
    db().user.findUniqueOrThrow({ where: { id: userId }, select: { email: true, name: true } }),
    traceAttempts(saleId, userId),
    readStories(saleId, userId),
    db().reservation.findUnique({ where: { saleId_userId: { saleId, userId } } }),
    countLost(saleId),
  ]);
  // Otherwise anyone with a sale could find out who has an account.
  if (attempts.length === 0 && waitlist.length === 0 && !reservation && !seesAll(actor))
    return { status: 'user_not_found' };
  await recordLook(actor, 'person.trace', userId, { saleId });
  const taken = await countTaken(
    saleId,
    attempts.map(({ at }) => at),
  );
  const { title, startsAt, endsAt, totalStock, limitPerUser } = sale;
  return {
    status: 'traced',
    trace: {
      sale: { saleId, title, startsAt, endsAt, totalStock, limitPerUser },
      user: { userId, ...account },
      attempts: attempts.map((attempt) => place(attempt, startsAt, taken)),
      waitlist,
      risk: hardest(attempts),
      reservedAt: reservation && !reservation.cancelledAt ? reservation.reservedAt.getTime() : null,
      lost,
      keptSince: nowMs() - KEEP_DAYS * DAY_MS,
    },
  };
}

function place(attempt: Attempt, startsAt: number, taken: ReadonlyMap<number, Taken>): TracedAttempt {
  const where = {
    afterStartMs: attempt.at - startsAt,
    taken: taken.get(attempt.at) ?? { orders: 0, units: 0, lastAt: null },
  };
  if (attempt.outcome === 'refused') return { ...attempt, ...where, enteredAt: null };
  const { jti, ...rest } = attempt;
  return { ...rest, ...where, enteredAt: idTimeMs(jti) };
}

const hardest = (attempts: readonly Attempt[]): RiskClass =>
  RISK_CLASSES.findLast((risk) =>
    attempts.some((attempt) => attempt.outcome === 'refused' && attempt.risk === risk),
  ) ?? 'none';
