import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { readinessReply } from '@/lib/health/readiness-reply';
import { toResponse } from '@/lib/http/reply';

export const dynamic = 'force-dynamic';

/** Only used with `npm run dev`: otherwise our server answers before Next is asked, with the same reply. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.isReady, async () => toResponse(await readinessReply())),
);
