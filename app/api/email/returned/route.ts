import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { takeReturned } from '@/lib/notify/take-returned';

/** Mail servers have no session; the mail proves itself. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.returnMail, async ({ body }) => ({ outcome: await takeReturned(body) })),
);
