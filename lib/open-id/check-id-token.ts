import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { OpenIdError } from './types';

/** Signatures that only the server can make. Neither `none` nor HMAC, for which the client's secret would do. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const CLOCK_TOLERANCE_SEC = 30;
/** It was made for this very sign-in, which takes minutes at most. */
const MAX_AGE_SEC = 600;

/**
 * Checks an ID token as OpenID Connect Core 1.0, 3.1.3.7, asks: who signed it, for whom, when, and for which sign-in.
 * @throws OpenIdError `failed`; JWKSNoMatchingKey if no key has signed it
 */
export async function checkIdToken(
  token: string,
  keySet: JSONWebKeySet,
  { issuer, clientId, nonce }: { issuer: string; clientId: string; nonce: string },
): Promise<JWTPayload & { sub: string }> {
  let claims: JWTPayload;
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keySet), {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SEC,
      maxTokenAge: MAX_AGE_SEC,
      requiredClaims: ['sub', 'exp', 'iat'],
    });
    claims = payload;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) throw error;
    throw new OpenIdError('failed', `an ID token that doesn't hold: ${(error as { code?: string }).code}`);
  }
  if (claims.nonce !== nonce) throw new OpenIdError('failed', 'an ID token of another sign-in');
  const { sub, azp, aud } = claims;
  if ((Array.isArray(aud) && aud.length > 1 && azp === undefined) || (azp !== undefined && azp !== clientId))
    throw new OpenIdError('failed', 'an ID token that another client asked for');
  if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub))
    throw new OpenIdError('failed', 'an ID token without a subject');
  return { ...claims, sub };
}
