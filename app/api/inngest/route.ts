import { serve } from 'inngest/next';
import type { NextRequest } from 'next/server';
import { inngest } from '@/inngest/client';
import { allFunctions } from '@/inngest/functions';
import { env } from '@/lib/env';
import { otherMethods } from '@/lib/http/other-methods';

export const dynamic = 'force-dynamic';
/** The longest time a step may take, in seconds, where the platform enforces a limit. */
export const maxDuration = 60;

type Handlers = ReturnType<typeof serve>;

let handlers: Handlers | undefined;

/** Creates the handlers at the first request: the build must not need the app's environment. */
function served(): Handlers {
  const client = inngest();
  handlers ??= serve({
    client,
    functions: allFunctions(client),
    serveOrigin: env().serveOrigin,
    servePath: '/api/inngest',
    // Only the executor, which holds the signing key, may make the app register again.
    enableUnauthedSync: false,
  });
  return handlers;
}

export const GET = (request: NextRequest, context: unknown) => served().GET(request, context);
export const POST = (request: NextRequest, context: unknown) => served().POST(request, context);
export const PUT = (request: NextRequest, context: unknown) => served().PUT(request, context);

export const { PATCH, DELETE, OPTIONS } = otherMethods('GET', 'POST', 'PUT');
