import { confirmTotp } from '@/lib/access/confirm-totp';
import { describeWait } from '@/lib/access/describe-wait';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.confirmTotp, async ({ user, body, refuse }) => {
    const result = await confirmTotp(user, body.code);
    switch (result.status) {
      case 'confirmed':
        return { recoveryCodes: result.recoveryCodes };
      case 'wrong':
        return refuse('FACTOR_CODE_WRONG');
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
      case 'limited':
        return refuse('RATE_LIMITED', describeWait('second-step', result.waitMs));
    }
  }),
);
