import { answerEdit } from '@/lib/admin/sales/answer-edit';
import { editSale } from '@/lib/admin/sales/edit-sale';
import { readAdminSale } from '@/lib/admin/sales/read-admin-sale';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

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
