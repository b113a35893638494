import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '@/lib/account/demo-accounts';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { env } from '@/lib/env';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readDemo, async () =>
    env().isDemo
      ? { demo: true as const, accounts: [...DEMO_ACCOUNTS], password: DEMO_PASSWORD }
      : { demo: false as const },
  ),
);
