import 'server-only';
import { z } from 'zod';
import { idTimeMs } from '@/lib/cache/id-time';
import {
  type AcceptedAttempt,
  type Attempt,
  type RefusedAttempt,
  traceAttempts,
} from '@/lib/checkout/trace-attempts';
import { nowMs } from '@/lib/clock';
import { db } from '@/lib/db/client';
import { KEEP_DAYS } from '@/lib/refusal/prune-refusals';
import { countLost } from '@/lib/refusal/read-refusals';
import { RISK_CLASSES, type RiskClass } from '@/lib/refusal/types';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { type Actor, maySee, seesAll } from '../actor';
import { findUserId } from '../orders/order-filter';
import { countTaken, type Taken } from './count-taken';

const DAY_MS = 86_400_000;

export const traceQuerySchema = z.object({
  user: z.string().trim().min(1).max(254).describe('Id or e-mail address.'),
});

/** An attempt against the sale's clock and stock. */
export type TracedAttempt = (Omit<AcceptedAttempt, 'jti'> | RefusedAttempt) & {
  /** How long after the start, in ms; negative: before it. */
  afterStartMs: number;
  /** What had been accepted by then, this attempt included if it was; as far as it is written. */
  taken: Taken;
  /** When the entry token was given that bought it; null for refusals. */
  enteredAt: number | null;
};

export type Trace = {
  sale: {
    saleId: string;
    title: string;
    startsAt: number;
    endsAt: number;
    totalStock: number;
    limitPerUser: number;
  };
  user: { userId: string; email: string; name: string };
  attempts: TracedAttempt[];
  /** The hardest that the risk rules have said of them in these attempts; which rule is not told. */
  risk: RiskClass;
  /** When they reserved; null: they didn't, or it stands no more. */
  reservedAt: number | null;
  /** Refusals of this sale, of whomever, that could not be kept: more came at once than is remembered. */
  lost: number;
  /** Refusals from before are deleted; epoch ms. */
  keptSince: number;
};

export type TraceResult =
  | { status: 'traced'; trace: Trace }
  | { status: 'sale_not_found' | 'user_not_found' };

/**
 * Why somebody did or didn't get a unit of a sale, for those at the desk who answer them: each attempt with its moment, its
 * answer, what was left and how much had gone. Merchants learn only of accounts that came to their sale.
 * @param user id or e-mail address. @throws when Postgres can't be reached.
 */
export async function traceShopper(actor: Actor, saleId: string, user: string): Promise<TraceResult> {
  const [sale, userId] = await Promise.all([findSaleInfo(saleId), findUserId(user)]);
  if (!sale || !maySee(actor, sale.merchantId)) return { status: 'sale_not_found' };
  if (userId === null) return { status: 'user_not_found' };
  const [account, attempts, reservation, lost] = await Promise.all([
    db().user.findUniqueOrThrow({ where: { id: userId }, select: { email: true, name: true } }),
    traceAttempts(saleId, userId),
    db().reservation.findUnique({ where: { saleId_userId: { saleId, userId } } }),
    countLost(saleId),
  ]);
  // Else anybody with a sale could find out who has an account.
  if (attempts.length === 0 && !reservation && !seesAll(actor)) return { status: 'user_not_found' };
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
