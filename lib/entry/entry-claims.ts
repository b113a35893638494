/** The claims of an entry token: this user may buy in this sale, until then. */
export type EntryClaims = {
  userId: string;
  saleId: string;
  /** The user's level when the token was issued, an integer ≥ 0. */
  level: number;
  /** Id of the token and idempotency key of the purchase. */
  jti: string;
  /** Epoch ms. */
  expiresAt: number;
  /** Id of the device that got the token; empty if that device keeps no cookies. */
  device: string;
  /** Id of the session that got the token. The token ends with it. Empty: no session, such as a load test's. */
  session: string;
};

/** Longest token that is checked, in characters. Real ones have about 200. */
export const MAX_TOKEN_LENGTH = 1_024;

/**
 * First element of the payload. A later format gets another number, so that old tokens are refused rather than
 * misread. The first format has no session: older tokens, until they have run out, and those of load tests.
 */
const FORMAT = { withoutSession: 1, withSession: 2 } as const;

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_DEVICE_LENGTH = 128;

/** Reads claims from the array in a token's payload. Null if a required part is missing or wrong. */
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

/** Builds the array that goes into a token's payload. An array, because names would double its length. */
export function payloadFrom(claims: EntryClaims): unknown[] {
  const { userId, saleId, level, jti, expiresAt, device, session } = claims;
  const rest = [userId, saleId, level, jti, expiresAt, device];
  return session === '' ? [FORMAT.withoutSession, ...rest] : [FORMAT.withSession, ...rest, session];
}
