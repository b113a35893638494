import { authorize } from '@/lib/account/authorize';
import { releaseRiskHit } from '@/lib/desk/risk/release-risk-hit';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

export const POST = route<{ hitId: string }>(async (request, { hitId }) => {
  const auth = await authorize(request, 'operator');
  if (!auth.ok) return auth.response;
  const hit = await releaseRiskHit(auth.user, hitId);
  return hit ? json(hit) : problem('HIT_NOT_FOUND');
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
