import type { RefusalPlace, RiskClass } from '@/lib/contract/words/attempt';
import type { ErrorCode } from '@/lib/errors/codes';

/** Whom, where, and with which code. The same again is counted, not kept a second time. */
export type RefusalKind = {
  saleId: string;
  userId: string;
  place: RefusalPlace;
  code: ErrorCode;
  risk: RiskClass;
};

/** The same refusals of one person. Times in epoch ms. */
export type Refusal = RefusalKind & {
  firstAt: number;
  lastAt: number;
  times: number;
  /** Units left at the first of them (−1 = unlimited); null: the process that answered did not know. */
  available: number | null;
};
