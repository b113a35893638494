import { authorize } from '@/lib/account/authorize';
import { answerDecision } from '@/lib/desk/approvals/answer-decision';
import { approve } from '@/lib/desk/approvals/decide-approval';
import { otherMethods } from '@/lib/http/other-methods';
import { route } from '@/lib/http/route';

export const POST = route<{ id: string }>(async (request, { id }) => {
  const auth = await authorize(request, 'desk');
  return auth.ok ? answerDecision(await approve(auth.user, id)) : auth.response;
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
