import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { type AdminLineResult, readAdminLine } from '@/lib/line/admin/read-admin-line';
import { steerLine } from '@/lib/line/admin/steer-line';

const CODES = { not_found: 'SALE_NOT_FOUND', no_line: 'NO_LINE' } as const satisfies Record<
  Exclude<AdminLineResult['status'], 'found'>,
  string
>;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readAdminLine, async ({ user, params, refuse }) => {
    const result = await readAdminLine(user, params.saleId);
    return result.status === 'found' ? result.line : refuse(CODES[result.status]);
  }),
  serve(contract.steerLine, async ({ user, params, body, refuse }) => {
    const result = await steerLine(user, params.saleId, body);
    if (result.status === 'conflict')
      return refuse('VERSION_CONFLICT', { extra: { version: result.version } });
    return result.status === 'found' ? result.line : refuse(CODES[result.status]);
  }),
);
