import { Secret, TOTP } from 'otpauth';

const STEP_SEC = 30;
const DIGITS = 6;
/** As RFC 4226 recommends: 160 bits. */
const SECRET_BYTES = 20;
/** How many steps a clock may be off, either way. */
const DRIFT_STEPS = 1;
const CODE = /^\d{6}$/;

/** Makes the secret of an app for one-time codes, in base32. */
export const createTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Returns a secret as an `otpauth:` address, for a QR code. @param issuer the shop's name as the app shows it */
export const totpAddress = (secret: string, issuer: string, email: string): string =>
  totp(secret, issuer, email).toString();

/** Says whether a code could be one of an app. @param code from `typedCode` */
export const isTotpCode = (code: string): boolean => CODE.test(code);

/**
 * Returns the step of 30 s that a code belongs to, one step off at most; null if it belongs to none (RFC 6238). Does not
 * know whether the code was used before.
 * @param code from `typedCode`
 */
export function totpStep(secret: string, code: string, nowMs = Date.now()): number | null {
  if (!isTotpCode(code)) return null;
  const delta = totp(secret).validate({ token: code, timestamp: nowMs, window: DRIFT_STEPS });
  return delta === null ? null : Math.floor(nowMs / 1_000 / STEP_SEC) + delta;
}

/** Returns the code that the app shows at a moment. */
export const totpCode = (secret: string, atMs = Date.now()): string =>
  totp(secret).generate({ timestamp: atMs });

/** SHA-1, because many apps know no other; HMAC does not need what SHA-1 has lost. */
const totp = (secret: string, issuer = '', label = 'account') =>
  new TOTP({
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: STEP_SEC,
  });
