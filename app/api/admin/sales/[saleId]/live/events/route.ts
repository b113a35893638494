import { authorize } from '@/lib/account/authorize';
import { sessionCookie, userOfSession } from '@/lib/account/current-user';
import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { liveQuery } from '@/lib/contract/shapes/live';
import { problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { toResponse } from '@/lib/http/reply';
import { route } from '@/lib/http/route';
import { joinLive } from '@/lib/live/join-live';
import { readLive } from '@/lib/live/read-live';
import { EVENT_HEADERS } from '@/lib/server/join-sale';
import { createWebStream } from '@/lib/server/web-stream';
import { refuseOff } from '@/lib/switchboard/refuse-off';

export const dynamic = 'force-dynamic';

/**
 * The most bytes that may wait for a reader. The first event carries up to 15 minutes of the charts; a reader that
 * falls this far behind is disconnected.
 */
const MAX_WAITING_BYTES = 512 * 1024;
/** How long a page that got no stream waits before it tries again; it polls meanwhile. */
const RETRY_AFTER_MS = 15_000;

/**
 * Sends each second what `…/live` answers, as server-sent events with `points`. A browser that reconnects says in
 * `Last-Event-ID` what it has already seen; on the first connection `?since=MS` says it.
 */
const follow = bind(contract.followLive, async (request, { saleId }) => {
  const auth = await authorize(request, 'seeAdmin');
  if (!auth.ok) return toResponse(auth.reply);
  const off = refuseOff('live');
  if (off) return toResponse(off);
  const { searchParams } = new URL(request.url);
  const since = request.headers.get('last-event-id') ?? searchParams.get('since');
  const query = liveQuery.safeParse({ since: since || undefined });
  if (!query.success) return validationProblem(query.error);
  const cookie = sessionCookie(request.headers);
  const { stream, openSink } = createWebStream(MAX_WAITING_BYTES);
  const { status } = await joinLive({
    actor: auth.user,
    saleId,
    since: query.data.since ?? 0,
    openReader: openSink,
    identify: () => userOfSession(cookie),
  });
  if (status === 'not_found') return problem('SALE_NOT_FOUND');
  if (status === 'unavailable') return problem('UNAVAILABLE', { retryAfterMs: RETRY_AFTER_MS });
  return new Response(stream, { headers: EVENT_HEADERS });
});

/** Opens no stream: a HEAD request has no reader for it. */
export const HEAD = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'seeAdmin');
  if (!auth.ok) return toResponse(auth.reply);
  const off = refuseOff('live');
  if (off) return toResponse(off);
  const { status } = await readLive(auth.user, saleId, null);
  if (status === 'not_found') return problem('SALE_NOT_FOUND');
  return new Response(null, { status: status === 'found' ? 200 : 503, headers: EVENT_HEADERS });
});

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(follow);
