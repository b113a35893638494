import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerEdit } from '@/lib/desk/sales/answer-edit';
import { editSale } from '@/lib/desk/sales/edit-sale';
import { readDeskSale } from '@/lib/desk/sales/read-desk-sale';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readDeskSale,
    async ({ user, params, refuse }) => (await readDeskSale(user, params.saleId)) ?? refuse('SALE_NOT_FOUND'),
  ),
  serve(contract.editSale, async ({ user, params, body }) =>
    answerEdit(await editSale(user, params.saleId, body)),
  ),
);
