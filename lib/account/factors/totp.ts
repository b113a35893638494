import { Secret, TOTP } from 'otpauth';

const STEP_SEC = 30;
const DIGITS = 6;
/** As RFC 4226 recommends: 160 bits. */
const SECRET_BYTES = 20;
/** How many steps a clock may be off, either way. */
const DRIFT_STEPS = 1;

/** Makes the secret of an app for one-time codes, in base32. */
export const createTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Returns the `otpauth:` address of a secret, for a QR code. @param issuer the shop's name as the app shows it */
export const totpAddress = (secret: string, issuer: string, email: string): string =>
  totp(secret, issuer, email).toString();

/**
 * Returns the step of 30 s whose code this is, one step off at most; null if it is none (RFC 6238). Says nothing of
 * whether that step's code was used before.
 */
export function totpStep(secret: string, code: string, nowMs = Date.now()): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totp(secret).validate({ token: code, timestamp: nowMs, window: DRIFT_STEPS });
  return delta === null ? null : Math.floor(nowMs / 1_000 / STEP_SEC) + delta;
}

/** Returns the code of a moment, as the app shows it. */
export const totpCode = (secret: string, atMs = Date.now()): string =>
  totp(secret).generate({ timestamp: atMs });

/** SHA-1, because many apps know nothing else; HMAC does not rest on what is broken about it. */
const totp = (secret: string, issuer = '', label = 'account') =>
  new TOTP({
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: STEP_SEC,
  });
