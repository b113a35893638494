import { readSwitchboard } from '@/lib/admin/switchboard/read-switchboard';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readSwitchboard, () => readSwitchboard()),
);
