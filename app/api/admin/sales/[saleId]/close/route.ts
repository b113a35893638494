import { answerChange } from '@/lib/admin/sales/answer-change';
import { closeSale } from '@/lib/admin/sales/close-sale';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.closeSale, async ({ user, params }) => answerChange(await closeSale(user, params.saleId))),
);
