import { inviteStaff } from '@/lib/access/invite-staff';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { fieldsProblem } from '@/lib/http/read-json';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.inviteStaff, async ({ user, body, refuse }) => {
    const result = await inviteStaff({ ...body, invitedBy: user });
    switch (result.status) {
      case 'invited':
        return { url: result.url, expiresAt: result.expiresAt };
      case 'email_invalid':
        return fieldsProblem([{ path: 'email', message: 'is no e-mail address' }]);
      case 'already_staff':
        return refuse('ALREADY_STAFF', { extra: { role: result.role } });
      case 'banned':
        return refuse('ACCOUNT_BANNED');
      case 'demo_account':
        return refuse('DEMO_ACCOUNT');
    }
  }),
);
