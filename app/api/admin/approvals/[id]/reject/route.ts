import { authorize } from '@/lib/account/authorize';
import { answerDecision } from '@/lib/desk/approvals/answer-decision';
import { reject, rejectSchema } from '@/lib/desk/approvals/decide-approval';
import { otherMethods } from '@/lib/http/other-methods';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const POST = route<{ id: string }>(async (request, { id }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, rejectSchema);
  return body.ok ? answerDecision(await reject(auth.user, id, body.data.reason)) : body.response;
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
