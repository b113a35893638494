import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import type { DecideResult } from './decide-approval';
import type { RequestApprovalResult } from './request-approval';

/** Makes the HTTP answer to a decision: the approval with its result, 403, 404, or 409 with its present state. */
export function answerDecision(result: DecideResult): Response {
  switch (result.status) {
    case 'decided':
      return json(result.approval);
    case 'not_found':
      return problem('APPROVAL_NOT_FOUND');
    case 'own':
      return problem('APPROVAL_OWN');
    case 'already':
      return problem('APPROVAL_DECIDED', { detail: `It is ${result.is}.`, extra: { is: result.is } });
  }
}

/**
 * Makes the HTTP answer to a request that needs a second person: 202, or 409 if another request about the same thing
 * is waiting.
 */
export function answerRequest(result: RequestApprovalResult): Response {
  if (result.status === 'pending') return json(result, { status: 202 });
  return problem('APPROVAL_PENDING', { extra: { approvalId: result.approvalId } });
}
