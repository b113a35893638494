import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readSandboxPage } from '@/lib/payment/providers/sandbox/read-page';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.openSandboxPayment,
    // The token takes the place of the provider's own session.
    async ({ params, query, refuse }) =>
      (await readSandboxPage(params.paymentId, query.token)) ?? refuse('PAYMENT_NOT_FOUND'),
  ),
);
