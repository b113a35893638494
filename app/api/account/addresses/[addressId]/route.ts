import { checkAddress } from '@/lib/address/check-address';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { changeAddress, listAddresses, removeAddress } from '@/lib/delivery/saved-addresses';
import { fieldsProblem } from '@/lib/http/read-json';

const list = async (userId: string) => ({ addresses: await listAddresses(userId) });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.changeAddress, async ({ user, params: { addressId }, body, refuse }) => {
    const checked = checkAddress(body.address);
    if (!checked.ok) return fieldsProblem(checked.fields);
    switch (await changeAddress(user, addressId, checked.address)) {
      case 'kept':
        return list(user.userId);
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
      case 'not_found':
        return refuse('ADDRESS_NOT_FOUND');
    }
  }),
  serve(contract.removeAddress, async ({ user: { userId }, params: { addressId }, refuse }) =>
    (await removeAddress(userId, addressId)) ? list(userId) : refuse('ADDRESS_NOT_FOUND'),
  ),
);
