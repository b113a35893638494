import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { env } from '@/lib/env';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readSignInWays, async () => {
    const { openId } = env();
    return { openId: openId && { name: openId.name } };
  }),
);
