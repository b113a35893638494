import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerChange } from '@/lib/sale/admin/answer-change';
import { closeSale } from '@/lib/sale/admin/close-sale';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.closeSale, async ({ user, params }) => answerChange(await closeSale(user, params.saleId))),
);
