import { authorize } from '@/lib/account/authorize';
import { answerChange } from '@/lib/desk/answer-change';
import { publishChecked } from '@/lib/desk/preflight/publish-checked';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

export const POST = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const result = await publishChecked(auth.user, saleId);
  if (result.status !== 'not_ready') return answerChange(result);
  const { checks } = result;
  return problem('PREFLIGHT_FAILED', {
    detail: checks.map(({ detail }) => detail).join(' '),
    extra: { checks },
  });
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
