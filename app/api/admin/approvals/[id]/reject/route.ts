import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { answerDecision } from '@/lib/approval/answer-decision';
import { reject } from '@/lib/approval/decide-approval';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.rejectRequest, async ({ user, params, body }) =>
    answerDecision(await reject(user, params.id, body.reason)),
  ),
);
