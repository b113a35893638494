import 'server-only';
import type { RefusalPlace, RiskClass } from '@/lib/contract/words/attempt';
import type { ErrorCode } from '@/lib/errors/codes';
import { peekAvailable } from '@/lib/stock/recent-stock';
import { noteRefusal } from './note-refusal';

/** Whom a refusal is about. `userId` is null if nothing proves who the shopper is. */
export type Refused = { saleId: string; userId: string | null };

/**
 * Remembers a refusal, so that "why not me?" can be answered later. Works from memory and into memory: no store is
 * read or written here.
 * @param facts `available` where the answer itself says how much was left
 */
export function rememberRefusal(
  { saleId, userId }: Refused,
  place: RefusalPlace,
  code: ErrorCode,
  { risk = 'none', available = peekAvailable(saleId) }: { risk?: RiskClass; available?: number | null } = {},
): void {
  if (userId !== null) noteRefusal({ saleId, userId, place, code, risk }, available);
}
