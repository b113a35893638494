import type { PurchaseWish } from '@/lib/contract/shapes/purchase';
import { MAX_QUANTITY } from '@/lib/contract/words/purchase';
import { MAX_VARIANTS } from '@/lib/contract/words/variant';

type Parsed =
  | { status: 'ok'; wish: PurchaseWish }
  | { status: 'malformed' }
  | { status: 'invalid_quantity' }
  | { status: 'unknown_variant' };

/** Most purchases have no body. */
const ONE_UNIT: Parsed = { status: 'ok', wish: { quantity: 1, variant: 0 } };

/** Reads what a purchase's body asks for: one unit if it is empty or names no quantity, of no variant if it names none. */
export function parseWish(body: string): Parsed {
  if (body === '') return ONE_UNIT;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { status: 'malformed' };
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    return { status: 'invalid_quantity' };
  const quantity = 'quantity' in parsed ? parsed.quantity : 1;
  if (!isWithin(quantity, 1, MAX_QUANTITY)) return { status: 'invalid_quantity' };
  const variant = 'variant' in parsed ? parsed.variant : 0;
  if (!isWithin(variant, 0, MAX_VARIANTS)) return { status: 'unknown_variant' };
  return { status: 'ok', wish: { quantity, variant } };
}

const isWithin = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
