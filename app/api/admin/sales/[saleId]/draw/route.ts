import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readAdminDraw } from '@/lib/draw/admin/read-admin-draw';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readAdminDraw, async ({ user, params, refuse }) => {
    const result = await readAdminDraw(user, params.saleId);
    if (result.status === 'found') return result.draw;
    return refuse(result.status === 'not_found' ? 'SALE_NOT_FOUND' : 'NO_LINE');
  }),
);
