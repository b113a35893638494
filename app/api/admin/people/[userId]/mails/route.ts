import { describeWait } from '@/lib/access/describe-wait';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { sendPersonMail } from '@/lib/person/send-person-mail';

const LIMITED = {
  verification: 'verification',
  password_reset: 'password-reset',
  order: 'order-mail',
} as const;

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
        return refuse('EMAIL_VERIFIED');
      case 'banned':
        return refuse('ACCOUNT_BANNED');
      case 'demo':
        return refuse('DEMO_ACCOUNT');
      case 'too_soon':
        return refuse('RATE_LIMITED', describeWait(LIMITED[body.kind], result.retryAfterMs));
    }
  }),
);
