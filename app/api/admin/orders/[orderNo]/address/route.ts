import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { lookUpAddress } from '@/lib/delivery/admin/look-up-address';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.lookUpAddress, async ({ user, params, refuse }) => {
    const address = await lookUpAddress(user, params.orderNo);
    return address === undefined ? refuse('ORDER_NOT_FOUND') : { address };
  }),
);
