import { describeWait } from '@/lib/access/describe-wait';
import { sendPersonMail } from '@/lib/admin/people/send-person-mail';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.sendPersonMail, async ({ user, params, body, refuse }) => {
    const result = await sendPersonMail(user, params.userId, body);
    switch (result.status) {
      case 'sent':
        return { sentTo: result.sentTo };
      case 'not_found':
        return refuse('USER_NOT_FOUND');
      case 'order_not_found':
        return refuse('ORDER_NOT_FOUND');
      case 'verified':
        return refuse('EMAIL_ALREADY_VERIFIED');
      case 'muted':
        return refuse('MAIL_MUTED');
      case 'banned':
        return refuse('ACCOUNT_BANNED');
      case 'too_soon':
        return refuse(
          'RATE_LIMITED',
          describeWait(body.kind === 'verification' ? 'verification' : 'password-reset', result.retryAfterMs),
        );
    }
  }),
);
