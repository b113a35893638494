import type { ErrorCode } from '@/lib/errors/codes';

/** Where somebody was refused. */
export const REFUSAL_PLACES = ['entry', 'purchase'] as const;
export type RefusalPlace = (typeof REFUSAL_PLACES)[number];

/** What the risk rules had said of them by then; which rule is nobody's business. */
export const RISK_CLASSES = ['none', 'challenged', 'limited', 'blocked'] as const;
export type RiskClass = (typeof RISK_CLASSES)[number];

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
