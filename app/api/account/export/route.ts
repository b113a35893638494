import { describeWait } from '@/lib/access/describe-wait';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { fileResponse } from '@/lib/http/file-response';
import { exportOwnData } from '@/lib/own-account/export-own-data';
import { requestAddress } from '@/lib/server/client-header';

/** A link on another site would use up the day's files. An address that is typed comes from none. */
const OWN_SITES: readonly (string | null)[] = ['same-origin', 'none', null];

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.exportOwnData, async ({ request: { headers }, user, refuse }) => {
    if (!OWN_SITES.includes(headers.get('sec-fetch-site'))) return refuse('CSRF');
    const result = await exportOwnData(user, { address: requestAddress(headers), headers });
    return result.status === 'going'
      ? fileResponse('my-data.zip', 'application/zip', result.pieces)
      : refuse('RATE_LIMITED', describeWait('export', result.waitMs));
  }),
);
