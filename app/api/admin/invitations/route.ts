import { inviteSchema, inviteStaff } from '@/lib/access/invite-staff';
import { authorize } from '@/lib/account/authorize';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { fieldsProblem, readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const POST = route(async (request) => {
  const auth = await authorize(request, 'manageUsers');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, inviteSchema);
  if (!body.ok) return body.response;
  const result = await inviteStaff({ ...body.data, invitedBy: auth.user });
  switch (result.status) {
    case 'invited':
      return json({ url: result.url, expiresAt: result.expiresAt }, { status: 201 });
    case 'email_invalid':
      return fieldsProblem([{ path: 'email', message: 'is no e-mail address' }]);
    case 'already_staff':
      return problem('ALREADY_STAFF', { extra: { role: result.role } });
    case 'banned':
      return problem('ACCOUNT_BANNED');
    case 'demo_account':
      return problem('DEMO_ACCOUNT');
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
