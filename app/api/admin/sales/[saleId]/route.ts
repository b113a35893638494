import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerEdit } from '@/lib/sale/admin/answer-edit';
import { editSale } from '@/lib/sale/admin/edit-sale';
import { readAdminSale } from '@/lib/sale/admin/read-admin-sale';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readAdminSale,
    async ({ user, params, refuse }) =>
      (await readAdminSale(user, params.saleId)) ?? refuse('SALE_NOT_FOUND'),
  ),
  serve(contract.editSale, async ({ user, params, body }) =>
    answerEdit(await editSale(user, params.saleId, body)),
  ),
);
