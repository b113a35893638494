import 'server-only';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ALIVE, readyReply } from '@/lib/health/health-replies';
import type { Reply } from '@/lib/http/reply';
import { ingestEvents } from './ingest-events';
import { registerFunctions } from './register-functions';
import { bearerToken, equalSecrets } from './sign';
import type { Executor } from './types';

const MAX_BODY_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 65_000;

class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new HttpError(413, `The body is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new HttpError(400, 'The body is not valid JSON');
  }
}

function send(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function health(executor: Executor) {
  const found = await executor.pool.query<{ functions: number }>(
    'SELECT count(*)::int AS functions FROM executor.functions WHERE removed_at IS NULL',
  );
  return { status: 'ok', functions: found.rows[0]?.functions ?? 0 };
}

/** Says whether functions can run: the database answers, and the app has registered them. */
async function readiness(executor: Executor): Promise<Reply> {
  try {
    const { functions } = await health(executor);
    const known = functions > 0 ? { ok: true } : { ok: false, problem: 'not_ready' };
    return readyReply({ ready: functions > 0, postgres: { ok: true }, functions: known });
  } catch (error) {
    executor.config.log.warn({ err: error }, 'not ready');
    return readyReply({ ready: false, postgres: { ok: false, problem: 'unreachable' } });
  }
}

function sendReply(response: ServerResponse, { status, headers, body }: Reply) {
  response.writeHead(status, headers).end(body);
}

async function route(
  executor: Executor,
  wake: () => void,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { pathname } = new URL(request.url ?? '/', 'http://executor');
  const { eventKey, signingKey } = executor.config;

  if (request.method === 'GET') {
    if (pathname === '/health') return send(response, 200, await health(executor));
    if (pathname === '/livez') return sendReply(response, ALIVE);
    if (pathname === '/readyz') return sendReply(response, await readiness(executor));
  }

  if (request.method === 'POST' && pathname.startsWith('/e/')) {
    if (!equalSecrets(pathname.slice('/e/'.length), encodeURI(eventKey)))
      throw new HttpError(401, 'Event key not found');
    const seed = request.headers['x-inngest-event-id-seed'];
    const result = await ingestEvents(
      executor,
      await readJson(request),
      typeof seed === 'string' ? seed : undefined,
    );
    if (result.status === 'invalid') throw new HttpError(400, result.error);
    if (result.started > 0) wake();
    return send(response, 200, { ids: result.ids, status: 200 });
  }

  if (request.method === 'POST' && pathname === '/fn/register') {
    const token = request.headers.authorization ?? '';
    if (!equalSecrets(token, `Bearer ${bearerToken(signingKey)}`))
      throw new HttpError(401, 'Signing key not accepted');
    const result = await registerFunctions(executor, await readJson(request));
    if (result.status === 'invalid') throw new HttpError(400, result.error);
    if (result.modified) executor.config.log.info({}, 'Functions registered');
    // The SDK reads the status from the body, and takes 200 if the body has none.
    return send(response, 200, { ok: true, status: 200, modified: result.modified });
  }
  throw new HttpError(404, 'Not found');
}

/**
 * Creates the executor's own HTTP server: `POST /e/:key` takes events, `POST /fn/register` registers functions, and
 * `GET /health` says how many are registered; `/livez` and `/readyz` are for monitors.
 * @param wake called when new work was committed.
 */
export function createHttpServer(executor: Executor, wake: () => void): Server {
  const server = createServer((request, response) => {
    route(executor, wake, request, response).catch((error: unknown) => {
      const status = error instanceof HttpError ? error.status : 503;
      if (status === 503)
        executor.config.log.error({ err: error, path: request.url?.slice(0, 4) }, 'A request failed');
      const message = error instanceof HttpError ? error.message : 'The executor is not available';
      // The server does not read the rest of a refused body, so the connection can't be used again.
      if (!request.complete) response.setHeader('connection', 'close');
      send(response, status, { ids: [], status, error: message });
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}
