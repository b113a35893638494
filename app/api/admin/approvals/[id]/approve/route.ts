import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerDecision } from '@/lib/desk/approvals/answer-decision';
import { approve } from '@/lib/desk/approvals/decide-approval';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.approveRequest, async ({ user, params }) => answerDecision(await approve(user, params.id))),
);
