import type { PurchaseWish } from '@/lib/contract/shapes/purchase';
import { MAX_QUANTITY } from '@/lib/contract/words/purchase';

type Parsed = { status: 'ok'; wish: PurchaseWish } | { status: 'malformed' } | { status: 'invalid' };

/** Nearly every purchase has no body. */
const ONE_UNIT: Parsed = { status: 'ok', wish: { quantity: 1 } };

/** Reads what a purchase's body asks for: one unit if it is empty or names no quantity. */
export function parseWish(body: string): Parsed {
  if (body === '') return ONE_UNIT;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { status: 'malformed' };
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) return { status: 'invalid' };
  const quantity = 'quantity' in parsed ? parsed.quantity : 1;
  if (typeof quantity !== 'number' || !Number.isInteger(quantity)) return { status: 'invalid' };
  return quantity >= 1 && quantity <= MAX_QUANTITY
    ? { status: 'ok', wish: { quantity } }
    : { status: 'invalid' };
}
