/**
 * Every refusal the HTTP interface knows: stable code → status and the English title of its problem+json.
 * The words shoppers read are in messages/*.json under the same codes.
 */
export const ERROR_CODES = {
  UNAUTHENTICATED: { status: 401, title: 'Sign in first' },
  FORBIDDEN: { status: 403, title: 'Your account may not do this' },
  CSRF: { status: 403, title: 'The request did not come from this site' },
  NOT_FOUND: { status: 404, title: 'There is nothing here' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This method is not supported here' },
  VALIDATION: { status: 422, title: 'Some fields are wrong' },
  MALFORMED: { status: 400, title: 'The request could not be read' },
  TOO_LARGE: { status: 413, title: 'The request is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Send JSON' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  INTERNAL: { status: 500, title: 'Something went wrong on our side' },
  UNAVAILABLE: { status: 503, title: 'The shop is not reachable for a moment' },

  EMAIL_TAKEN: { status: 409, title: 'There is an account with this e-mail address' },
  SLUG_TAKEN: { status: 409, title: 'This slug is in use' },

  SALE_NOT_FOUND: { status: 404, title: 'There is no such sale' },
  ENTRY_NOT_OPEN: { status: 409, title: 'Entry is not open yet' },
  SALE_ENDED: { status: 410, title: 'The sale is over' },
  LEVEL_TOO_LOW: { status: 403, title: 'This sale is for higher member levels' },
  CHALLENGE_REQUIRED: { status: 403, title: 'Solve a challenge first' },
  CHALLENGE_FAILED: { status: 403, title: 'The challenge was not solved, has run out or was used' },
  CHALLENGE_NOT_NEEDED: { status: 409, title: 'This sale wants no challenge' },
  ENTRY_INVALID: { status: 401, title: 'The entry token is missing, wrong or expired' },
  GATE_INVALID: { status: 403, title: 'This is not the way into the sale' },
  NOT_STARTED: { status: 409, title: 'The sale has not started' },
  ENDED: { status: 409, title: 'The sale is over' },
  PAUSED: { status: 409, title: 'The sale is paused' },
  SOLD_OUT: { status: 409, title: 'Sold out' },
  LIMIT_REACHED: { status: 409, title: 'You have as many as one person may have' },
  INVALID_QUANTITY: { status: 422, title: 'This quantity cannot be bought' },
  IDEMPOTENCY_MISMATCH: { status: 422, title: 'This token has bought another quantity' },
  STOCK_UNAVAILABLE: { status: 503, title: 'Stock cannot be reached for a moment' },

  ORDER_NOT_FOUND: { status: 404, title: 'There is no such order' },
  ORDER_NOT_PAYABLE: { status: 409, title: 'This order can no longer be paid' },
  ORDER_NOT_CANCELLABLE: { status: 409, title: 'This order can no longer be cancelled' },
  ORDER_NOT_REFUNDABLE: { status: 409, title: 'Only a paid order can be refunded' },
  DEAD_LETTER_NOT_FOUND: { status: 404, title: 'There is no such dead letter' },
  DEAD_LETTER_STATE: { status: 409, title: 'This dead letter cannot be dealt with like that' },
  SIGNATURE_INVALID: { status: 401, title: 'The signature is wrong' },
  PAYMENT_NOT_FOUND: { status: 404, title: 'There is no such payment' },
  CALLBACK_REFUSED: { status: 502, title: 'The shop did not take the payment callback' },

  STOCK_BELOW_COMMITTED: { status: 409, title: 'More units are held or sold than would remain' },
  STOCK_UNLIMITED: { status: 409, title: 'This sale has no stock limit to change' },
  SALE_STATE: { status: 409, title: 'The sale is not in a state that allows this' },
  VERSION_CONFLICT: { status: 409, title: 'Somebody changed this in the meantime' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
