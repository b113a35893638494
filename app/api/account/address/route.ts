import { readSavedAddress, removeSavedAddress, saveAddress } from '@/lib/account/saved-address';
import { checkAddress } from '@/lib/address/check-address';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { db } from '@/lib/db/client';
import { fieldsProblem } from '@/lib/http/read-json';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readSavedAddress, async ({ user }) => ({ address: await readSavedAddress(user.userId) })),
  serve(contract.putSavedAddress, async ({ user, body }) => {
    const checked = checkAddress(body);
    if (!checked.ok) return fieldsProblem(checked.fields);
    await saveAddress(db(), user.userId, checked.address);
    return { address: checked.address };
  }),
  serve(contract.removeSavedAddress, async ({ user }) => {
    await removeSavedAddress(db(), user.userId);
    return { address: null };
  }),
);
