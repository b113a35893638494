const ID = /^[A-Za-z0-9_-]{1,64}$/;
const STOCK_ID = /^[A-Za-z0-9_-]{1,64}(?:\/\d{1,2}\.\d{1,5})?$/;
const ORDER_NO = /^[1-9]\d{0,18}$/;

/** Tells whether this can be the id of a sale, user, token, gate or request. Ids never hold `,` `;` `{` `}` or `:`. */
export function isId(value: string): boolean {
  return ID.test(value);
}

/** Tells whether this can be the id of a stock: of a sale, or of one of its slices (`lib/slice/numbers/stock-ids.ts`). */
export function isStockId(value: string): boolean {
  return STOCK_ID.test(value);
}

/** Checks the id of a stock. @throws TypeError if `value` can't be one */
export function checkStockId(value: string): void {
  if (!isStockId(value)) throw new TypeError(`not the id of a stock: ${JSON.stringify(value.slice(0, 80))}`);
}

/** Checks an id. @throws TypeError if `value` can't be an id; the message calls it `name`. */
export function checkId(name: string, value: string): void {
  if (!ID.test(value)) throw new TypeError(`${name} is not an id: ${JSON.stringify(value.slice(0, 80))}`);
}

/** Tells whether this can be an order number: decimal digits without leading zeros, at most 19. */
export function isOrderNo(value: string): boolean {
  return ORDER_NO.test(value);
}

/** Checks a number. @throws RangeError if `value` is not an integer from `min` to `max`. */
export function checkInteger(name: string, value: number, min: number, max = Number.MAX_SAFE_INTEGER): void {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be an integer from ${min} to ${max}, got ${value}`);
  }
}
