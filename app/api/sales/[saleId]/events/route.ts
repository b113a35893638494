import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { problemReply } from '@/lib/http/problem';
import { toResponse } from '@/lib/http/reply';
import { route } from '@/lib/http/route';
import { findState } from '@/lib/sale/read-state';
import { requestAddress } from '@/lib/server/client-header';
import { EVENT_HEADERS, joinSale } from '@/lib/server/join-sale';
import { refuseEvents } from '@/lib/server/refuse-events';
import { createWebStream } from '@/lib/server/web-stream';
import { refuseOff } from '@/lib/switchboard/refuse-off';

export const dynamic = 'force-dynamic';

/** How many bytes may wait for a reader before the reader counts as too slow. */
const MAX_WAITING_BYTES = 16 * 1024;

/**
 * Sends the same events as the fast path, for installations without it: behind another server, or on a platform with
 * its own.
 */
const follow = bind(contract.followSale, async (request, { saleId }) => {
  // Only the limit per process counts if neither our server nor one of our proxies names the client's address.
  const address = requestAddress(request.headers);
  const { stream, openSink } = createWebStream(MAX_WAITING_BYTES);
  const refusal = refuseEvents(await joinSale(saleId, address, openSink));
  return refusal ? toResponse(refusal) : new Response(stream, { headers: EVENT_HEADERS });
});

/** Opens no stream: a HEAD request has no reader for it. */
export const HEAD = route<{ saleId: string }>(async (_request, { saleId }) => {
  const off = refuseOff('streams');
  if (off) return toResponse(off);
  const result = await findState(saleId);
  return result.status === 'refused'
    ? toResponse(problemReply(result.code))
    : new Response(null, { headers: EVENT_HEADERS });
});

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(follow);
