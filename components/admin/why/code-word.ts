const CODES = [
  'SOLD_OUT',
  'LIMIT_REACHED',
  'NOT_STARTED',
  'ENDED',
  'PAUSED',
  'GATE_INVALID',
  'NOT_RESERVED',
  'RATE_LIMITED',
  'BLOCKED',
  'NOT_DECIDED',
  'STOCK_UNAVAILABLE',
  'INVALID_QUANTITY',
  'MALFORMED',
  'IDEMPOTENCY_MISMATCH',
  'SALE_ENDED',
  'ENTRY_NOT_OPEN',
  'NOT_IN_LINE',
  'NOT_ADMITTED',
  'TURN_OVER',
  'JOINED_TOO_OFTEN',
  'PLACE_TAKEN',
  'LEVEL_TOO_LOW',
  'ACCOUNT_TOO_NEW',
  'EMAIL_UNVERIFIED',
  'CHALLENGE_REQUIRED',
  'CHALLENGE_FAILED',
  'DRAW_ONLY',
] as const;

/** Returns the key of a code's words. A code without words of its own gets the general ones. */
export const codeWord = (code: string): (typeof CODES)[number] | 'OTHER' =>
  CODES.find((known) => known === code) ?? 'OTHER';
