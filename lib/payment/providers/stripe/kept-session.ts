import 'server-only';
import { nowMs } from '@/lib/clock';
import { db } from '@/lib/db/client';
import type { StripeSession } from '@/prisma/generated/client';

/** The words that Stripe gets. */
type Terms = Pick<StripeSession, 'title' | 'returnUrl'>;
/** A session that Stripe has made. `createdAt`: by its clock. */
export type KeptSession = { paymentId: string; sessionId: string; createdAt: Date };

/**
 * Returns which session takes a payment's money. The row says what Stripe is asked for before it is asked, so
 * everybody who asks again asks for the same.
 * @param terms of the first who asks
 */
export async function claimSession(paymentId: string, terms: Terms): Promise<StripeSession> {
  await db().stripeSession.createMany({ data: [{ paymentId, ...terms }], skipDuplicates: true });
  return db().stripeSession.findUniqueOrThrow({ where: { paymentId } });
}

/** Replaces a session that takes no money any more, once. */
export async function replaceSession(
  { paymentId, attempt }: StripeSession,
  terms: Terms,
): Promise<StripeSession> {
  await db().stripeSession.updateMany({
    where: { paymentId, attempt },
    data: { ...terms, attempt: attempt + 1, claimedAt: new Date(nowMs()), sessionId: null, createdAt: null },
  });
  return db().stripeSession.findUniqueOrThrow({ where: { paymentId } });
}

/** Keeps which session Stripe has made. @returns false if it was replaced meanwhile: then no shopper may see its page */
export async function keepSession(
  { paymentId, sessionId, createdAt }: KeptSession,
  attempt: number,
): Promise<boolean> {
  const { count } = await db().stripeSession.updateMany({
    where: { paymentId, attempt },
    data: { sessionId, createdAt },
  });
  return count === 1;
}

/** Returns the sessions of these payments; leaves out those that Stripe has not made. */
export async function findSessions(paymentIds: readonly string[]): Promise<KeptSession[]> {
  const rows = await db().stripeSession.findMany({ where: { paymentId: { in: [...paymentIds] } } });
  return rows.flatMap(({ paymentId, sessionId, createdAt }) =>
    sessionId && createdAt ? [{ paymentId, sessionId, createdAt }] : [],
  );
}
