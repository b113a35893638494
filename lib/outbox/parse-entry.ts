import { acceptedOrderSchema, fromEntry } from './accepted-order';
import type { OutboxEntry, RawEntry } from './types';

type Parsed = { ok: true; entry: OutboxEntry } | { ok: false; error: string };

/** Parses a stream entry. If it can't become an order, says what is wrong with it. */
export function parseEntry({ fields, ...place }: RawEntry): Parsed {
  const result = acceptedOrderSchema.safeParse(fromEntry(fields));
  if (result.success) return { ok: true, entry: { ...place, order: result.data } };
  const error = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  return { ok: false, error: `malformed: ${error}` };
}
