import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { isSideFeature } from '@/lib/contract/words/side-feature';
import { setAdminSwitch } from '@/lib/switchboard/admin/set-admin-switch';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.setSwitch, async ({ user, params: { feature }, body, refuse }) => {
    if (!isSideFeature(feature)) return refuse('FEATURE_NOT_FOUND');
    const result = await setAdminSwitch(user, feature, body);
    if (result.status === 'set') return result.view;
    return refuse('VERSION_CONFLICT', { extra: { version: result.view.version, switch: result.view } });
  }),
);
