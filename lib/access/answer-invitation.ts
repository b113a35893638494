import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { fieldsProblem } from '@/lib/http/read-json';
import type { AcceptResult } from './accept-invitation';
import { describeComeBack, describeWait } from './describe-wait';

/** Makes the HTTP answer to a request that accepts an invitation. */
export function answerInvitation(result: AcceptResult): Response {
  switch (result.status) {
    case 'accepted':
      return json({ email: result.email });
    case 'invalid':
      return problem('INVITATION_INVALID');
    case 'incomplete':
      return fieldsProblem(result.fields);
    case 'guessable':
      return problem('PASSWORD_GUESSABLE');
    case 'no_password':
      return problem('NO_PASSWORD');
    case 'wrong':
      return problem('CREDENTIALS_WRONG');
    case 'limited':
      return problem('RATE_LIMITED', describeWait('invitation', result.waitMs));
    case 'busy':
      return problem('UNAVAILABLE', describeComeBack('invitation', result.comeBack));
  }
}
