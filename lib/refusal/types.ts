import type { RefusalPlace, RiskClass } from '@/lib/contract/words/attempt';
import type { ErrorCode } from '@/lib/errors/codes';

/** The user, the place and the code of a refusal. A repetition is counted, not stored a second time. */
export type RefusalKind = {
  saleId: string;
  userId: string;
  place: RefusalPlace;
  code: ErrorCode;
  risk: RiskClass;
};

/** Equal refusals of one user. Times in epoch ms. */
export type Refusal = RefusalKind & {
  firstAt: number;
  lastAt: number;
  times: number;
  /** Units left at the first of them (−1 = unlimited); null: the process that answered did not know. */
  available: number | null;
};
