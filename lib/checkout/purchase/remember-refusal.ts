import 'server-only';
import type { RefusalPlace, RiskClass } from '@/lib/contract/words/attempt';
import type { ErrorCode } from '@/lib/errors/codes';
import { noteRefusal } from '@/lib/refusal/note-refusal';
import { peekAvailable } from '@/lib/stock/recent-stock';

/** Whom a refusal is about; `userId` is null where nobody vouches for one. */
export type Refused = { saleId: string; userId: string | null };

/**
 * Remembers a refusal for whoever asks "why not me?" later. From memory and into memory: nothing is asked or written here.
 * @param facts `available` where the answer itself says how much was left.
 */
export function rememberRefusal(
  { saleId, userId }: Refused,
  place: RefusalPlace,
  code: ErrorCode,
  { risk = 'none', available = peekAvailable(saleId) }: { risk?: RiskClass; available?: number | null } = {},
): void {
  if (userId !== null) noteRefusal({ saleId, userId, place, code, risk }, available);
}
