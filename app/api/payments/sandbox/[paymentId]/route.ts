import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { openPage } from '@/lib/payment/providers/sandbox/open-page';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.openSandboxPayment,
    // The token takes the place of the provider's own session.
    async ({ params, query, refuse }) =>
      (await openPage(params.paymentId, query.token)) ?? refuse('PAYMENT_NOT_FOUND'),
  ),
);
