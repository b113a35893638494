import { describeWait } from '@/lib/access/describe-wait';
import { exportOwnData } from '@/lib/access/export-own-data';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { fileResponse } from '@/lib/http/file-response';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.exportOwnData, async ({ request: { headers }, user, refuse }) => {
    const result = await exportOwnData(user, { address: requestAddress(headers), headers });
    return result.status === 'going'
      ? fileResponse('my-data.json', 'application/json', result.pieces)
      : refuse('RATE_LIMITED', describeWait('export', result.waitMs));
  }),
);
