import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { answerDecision } from '@/lib/approval/answer-decision';
import { approve } from '@/lib/approval/decide-approval';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.approveRequest, async ({ user, params }) => answerDecision(await approve(user, params.id))),
);
