import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readSwitchboard } from '@/lib/switchboard/admin/read-switchboard';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readSwitchboard, () => readSwitchboard()),
);
