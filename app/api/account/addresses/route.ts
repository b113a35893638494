import { checkAddress } from '@/lib/address/check-address';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { addAddress, listAddresses } from '@/lib/delivery/saved-addresses';
import { fieldsProblem } from '@/lib/http/read-json';

const list = async (userId: string) => ({ addresses: await listAddresses(userId) });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listAddresses, ({ user }) => list(user.userId)),
  serve(contract.addAddress, async ({ user, body, refuse }) => {
    const checked = checkAddress(body.address);
    if (!checked.ok) return fieldsProblem(checked.fields);
    switch (await addAddress(user, checked.address, body.requestId)) {
      case 'kept':
        return list(user.userId);
      case 'full':
        return refuse('ADDRESSES_FULL');
      case 'made_otherwise':
        return refuse('CREATED_OTHERWISE');
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
    }
  }),
);
