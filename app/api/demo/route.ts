import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '@/lib/account/demo-accounts';
import { env } from '@/lib/env';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { route } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Tells the sign-in page which accounts a demo has; nothing outside demo mode. */
export const GET = route(async () =>
  json(env().isDemo ? { demo: true, accounts: DEMO_ACCOUNTS, password: DEMO_PASSWORD } : { demo: false }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
