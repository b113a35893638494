import { changePassword, changePasswordSchema } from '@/lib/access/change-password';
import { describeWait } from '@/lib/access/describe-wait';
import { authorize } from '@/lib/account/authorize';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { requestAddress } from '@/lib/server/client-header';

export const POST = route(async (request) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  const body = await readJson(request, changePasswordSchema);
  if (!body.ok) return body.response;
  const { headers } = request;
  const result = await changePassword(auth.user, body.data, { address: requestAddress(headers), headers });
  switch (result.status) {
    case 'changed':
      return json({ changed: true });
    case 'wrong':
      return problem('PASSWORD_WRONG');
    case 'signed_out':
      return problem('UNAUTHENTICATED');
    case 'demo_account':
      return problem('DEMO_ACCOUNT');
    case 'limited':
      return problem('RATE_LIMITED', describeWait('password', result.waitMs));
    case 'busy':
      return problem('UNAVAILABLE');
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
