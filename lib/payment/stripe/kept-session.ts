import 'server-only';
import { db } from '@/lib/db/client';

/** The session at Stripe that a payment has now. `sessionId` is null until Stripe has answered. */
export type Claimed = { attempt: number; returnUrl: string; claimedAt: Date; sessionId: string | null };
/** A session that Stripe knows. `createdAt`: by its clock. */
export type KeptSession = { paymentId: string; sessionId: string; createdAt: Date };

/**
 * Returns which session takes a payment's money. Before Stripe is asked, the row says what for: whoever asks again
 * asks for the same.
 * @param returnUrl for the first who asks
 */
export async function claimSession(paymentId: string, returnUrl: string): Promise<Claimed> {
  await db().stripeSession.createMany({ data: [{ paymentId, returnUrl }], skipDuplicates: true });
  return db().stripeSession.findUniqueOrThrow({ where: { paymentId } });
}

/** Replaces a session that takes no money any more, once. @param attempt which one that was */
export async function replaceSession(
  paymentId: string,
  attempt: number,
  returnUrl: string,
): Promise<Claimed> {
  await db().stripeSession.updateMany({
    where: { paymentId, attempt },
    data: { attempt: attempt + 1, returnUrl, claimedAt: new Date(), sessionId: null, createdAt: null },
  });
  return db().stripeSession.findUniqueOrThrow({ where: { paymentId } });
}

/** Keeps which session Stripe has made. @returns false if it was replaced meanwhile: then nobody may see its page */
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
