import {
  type ApiProblem,
  ASKED_TOO_MANY,
  CAMPAIGN_LIMIT,
  FEWER_LEFT,
  refusalOf,
} from '@/components/api/api-problem';
import type { Attempt } from './attempt';

/** Returns what an attempt keeps of a refused purchase. If fewer units can be had, it asks for those next. */
export function keepRefusal(problem: ApiProblem): Partial<Attempt> {
  const refusal = refusalOf(problem);
  const kept = { refusal, orderNo: problem.orderNo, isUndecided: false };
  switch (refusal) {
    case FEWER_LEFT:
      return { ...kept, quantity: problem.available ?? 1 };
    case ASKED_TOO_MANY:
      return { ...kept, quantity: 1 };
    case CAMPAIGN_LIMIT:
      // A new token brings what the campaign's limit leaves in this sale.
      return { ...kept, quantity: 1, entry: null };
    default:
      return kept;
  }
}
