/**
 * An example of a worker at the edge, in front of the purchase host (PURCHASE_ORIGIN): it answers "sold out" itself from
 * the state that the shop publishes, and passes everything else on. Written against the web's standards (fetch, Request,
 * Response), as Cloudflare Workers and others run them; deploy/EDGE.md says how to set it up.
 *
 * What it may say, and when:
 * - "sold out" only, where the state says that the sale is open, sold out, and at the gate that was asked for.
 * - For 3 s at most after a unit came back: it keeps a state for 1 s, and the state was at most 2 s old when it came
 *   (one second by its Cache-Control, which caches count in whole seconds). An older one, or one from a clock that is
 *   more than that apart from ours, counts as none.
 * - Only to a page that says this is its first try. Whoever may already have bought, and lost the answer, gets it from the
 *   shop (the token is the idempotency key). Apps, which send the token in a header, are passed on too.
 *
 * What the shop does not see of the requests answered here: they count in no limit, risk rule, figure or "Why not me?".
 *
 * Settings: ORIGIN, where the shop answers purchases and states (https://…); SITE_ORIGIN, whose pages may read the answer.
 */

const PURCHASE = /^\/api\/sales\/([A-Za-z0-9_-]{1,64})\/purchase\/([A-Za-z0-9_-]{1,64})$/;
const KEPT_MS = 1_000;
const OLDEST_MS = 3_000;
/** The sale's end is said by the shop, and no state is kept across it. */
const BEFORE_END_MS = 5_000;
const STATE_WITHIN_MS = 500;
const MAX_SALES = 1_000;
const MAX_BODY_BYTES = 1_024;

/** The last state of each sale that this worker asked for: `{ state, receivedAt }`. */
const states = new Map();

export default {
  /**
   * @param {Request} request
   * @param {{ ORIGIN: string, SITE_ORIGIN: string }} env
   * @returns {Promise<Response>}
   */
  async fetch(request, env) {
    const { pathname, search } = new URL(request.url);
    const [, saleId, gate] = (request.method === 'POST' && search === '' && PURCHASE.exec(pathname)) || [];
    const target = `${env.ORIGIN}${pathname}${search}`;
    const pass = () => fetch(new Request(target, request), { redirect: 'manual' });
    if (!saleId || request.headers.has('x-entry-token')) return pass();
    if (Number(request.headers.get('content-length') ?? MAX_BODY_BYTES + 1) > MAX_BODY_BYTES) return pass();
    const state = await stateOf(saleId, env.ORIGIN);
    if (!state || !isSoldOut(state, gate, Date.now())) return pass();
    const body = await request.text();
    if (isFirstTry(body)) return soldOut(request.headers.get('origin'), env.SITE_ORIGIN);
    return fetch(target, { method: 'POST', headers: request.headers, body, redirect: 'manual' });
  },
};

/** Returns what the shop publishes of a sale, at most a second after it was fetched; null: it could not be had. */
async function stateOf(saleId, origin) {
  const known = states.get(saleId);
  if (known && Date.now() - known.receivedAt < KEPT_MS) return known.state;
  try {
    const answer = await fetch(`${origin}/api/sales/${saleId}/state`, {
      signal: AbortSignal.timeout(STATE_WITHIN_MS),
      redirect: 'error',
      // Cloudflare's own cache: as long as Cache-Control says, whoever asks.
      cf: { cacheEverything: true },
    });
    if (answer.status !== 200) return null;
    const state = await answer.json();
    states.delete(saleId);
    states.set(saleId, { state, receivedAt: Date.now() });
    // The one that was asked for longest ago goes.
    if (states.size > MAX_SALES) states.delete(states.keys().next().value);
    return state;
  } catch {
    return null;
  }
}

/** Says whether a state answers for itself that nobody can buy at this gate now. */
function isSoldOut(state, gate, now) {
  const { status, stock, serverTime, endsAt } = state;
  const isFresh = Math.abs(now - serverTime) <= OLDEST_MS;
  return (
    isFresh &&
    status === 'sold_out' &&
    stock.available === 0 &&
    state.gate === gate &&
    endsAt - now > BEFORE_END_MS
  );
}

/** Says whether a body is a page's: one unit, and no purchase before it is without its answer. */
function isFirstTry(body) {
  try {
    const { isFirstTry, entryToken, quantity = 1 } = JSON.parse(body);
    return isFirstTry === true && typeof entryToken === 'string' && quantity === 1;
  } catch {
    return false;
  }
}

/** Answers as the shop does: the same status, headers and body, with an id of our own. */
function soldOut(origin, site) {
  const problem = {
    type: 'urn:seckill:problem:sold-out',
    title: 'Sold out',
    status: 409,
    code: 'SOLD_OUT',
    detail: 'Sold out',
    requestId: crypto.randomUUID(),
    available: 0,
  };
  return new Response(JSON.stringify(problem), {
    status: 409,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      vary: 'Origin',
      ...(origin === site
        ? { 'access-control-allow-origin': site, 'access-control-expose-headers': 'Retry-After' }
        : {}),
    },
  });
}
