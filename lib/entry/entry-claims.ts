/** What an entry token says: this user may buy in this sale, until then. */
export type EntryClaims = {
  userId: string;
  saleId: string;
  /** The user's level when the token was issued, an integer ≥ 0. */
  level: number;
  /** Id of the token and idempotency key of the purchase. */
  jti: string;
  /** Epoch ms. */
  expiresAt: number;
  /** Id of the device it was issued to; empty if that keeps no cookies. */
  device: string;
  /** Id of the session it was issued to, and ends with; empty: to none, such as a load test's. */
  session: string;
};

/** Longest token looked at, in characters. Real ones have about 200. */
export const MAX_TOKEN_LENGTH = 1_024;

/**
 * First element of the payload. A later format gets another one, so that old tokens are refused rather than misread. The first
 * has no session: tokens of before, until they have run out, and load tests'.
 */
export const FORMAT = { withoutSession: 1, withSession: 2 } as const;

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_DEVICE_LENGTH = 128;

/** Claims from the array in a token's payload, or null if it doesn't hold what it must. */
export function claimsFrom(payload: unknown): EntryClaims | null {
  if (!Array.isArray(payload)) return null;
  const [format, userId, saleId, level, jti, expiresAt, device, session = ''] = payload as unknown[];
  if (format === FORMAT.withSession) {
    if (payload.length !== 8 || typeof session !== 'string' || !ID.test(session)) return null;
  } else if (format !== FORMAT.withoutSession || payload.length !== 7) return null;
  for (const id of [userId, saleId, jti]) if (typeof id !== 'string' || !ID.test(id)) return null;
  if (typeof device !== 'string' || device.length > MAX_DEVICE_LENGTH) return null;
  if (!Number.isSafeInteger(level) || (level as number) < 0) return null;
  if (!Number.isSafeInteger(expiresAt) || (expiresAt as number) < 0) return null;
  return { userId, saleId, level, jti, expiresAt, device, session } as EntryClaims;
}

/** The array that goes into a token's payload; an array, because names would double its length. */
export function payloadFrom(claims: EntryClaims): unknown[] {
  const { userId, saleId, level, jti, expiresAt, device, session } = claims;
  const rest = [userId, saleId, level, jti, expiresAt, device];
  return session === '' ? [FORMAT.withoutSession, ...rest] : [FORMAT.withSession, ...rest, session];
}
