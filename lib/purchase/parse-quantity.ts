import { MAX_QUANTITY } from '@/lib/contract/words/purchase';

type ParsedQuantity = { status: 'ok'; quantity: number } | { status: 'malformed' } | { status: 'invalid' };

/** Reads how many units a purchase body asks for: 1 if the body is empty or names none. */
export function parseQuantity(body: string): ParsedQuantity {
  if (body === '') return { status: 'ok', quantity: 1 };
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { status: 'malformed' };
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) return { status: 'invalid' };
  const quantity = 'quantity' in parsed ? parsed.quantity : 1;
  if (typeof quantity !== 'number' || !Number.isInteger(quantity)) return { status: 'invalid' };
  return quantity >= 1 && quantity <= MAX_QUANTITY ? { status: 'ok', quantity } : { status: 'invalid' };
}
