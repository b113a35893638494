import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readLogKeys } from '@/lib/decision-log/read-heads';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listLogKeys, async () => ({ keys: await readLogKeys() })),
);
