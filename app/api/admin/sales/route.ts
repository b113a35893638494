import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { saysNotFound } from '@/lib/sale/admin/answer-edit';
import { createSale } from '@/lib/sale/admin/create-sale';
import { listAdminSales } from '@/lib/sale/admin/list-admin-sales';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listAdminSales, ({ user, query }) => listAdminSales(user, query, query)),
  serve(contract.createSale, async ({ user, body, refuse }) => {
    const result = await createSale(user, body);
    if (result.status === 'created') return result.sale;
    if (result.status === 'campaign') return refuse(result.code);
    if (result.status === 'product_archived') return refuse('PRODUCT_ARCHIVED');
    if (result.status === 'made_otherwise') return refuse('CREATED_OTHERWISE');
    if (result.status === 'slug_taken') return refuse('SLUG_TAKEN');
    return refuse('VALIDATION', saysNotFound(result.status));
  }),
);
