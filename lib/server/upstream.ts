import { Agent, type IncomingMessage, request as open, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { CLIENT_HEADER, clientHeader } from './client-header';

/** Belong to one connection, not to the message (RFC 9110 7.6.1); the rest is passed on as it came. */
const OF_ONE_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'te',
  'expect',
]);
/** Node frames the answer to its client itself. */
const OF_THE_FRAMING = new Set([...OF_ONE_CONNECTION, 'transfer-encoding']);
const MAX_IDLE_CONNECTIONS = 256;

/** Next is not there: it starts, or starts again after a crash. */
export class UpstreamDownError extends Error {
  override name = 'UpstreamDownError';
}

/** Next in its own process, reached over a Unix socket. */
export type Upstream = {
  /**
   * Passes a request on, body included. Headers that were deleted from `request.headers` are left out.
   * @returns the answer, its body not read yet. @throws UpstreamDownError
   */
  ask: (request: IncomingMessage, response: ServerResponse) => Promise<IncomingMessage>;
  /** Passes a request on and its answer back. @throws UpstreamDownError before anything was sent back. */
  forward: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** A request of our own. */
  call: (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ) => Promise<IncomingMessage>;
  close: () => void;
};

export function openUpstream(socketPath: string): Upstream {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS });

  const ask: Upstream['ask'] = (request, response) =>
    new Promise((resolve, reject) => {
      const { method, url: path } = request;
      const sent = open({ agent, socketPath, method, path, headers: passedOn(request) as never }, resolve);
      sent.once('error', (cause) => reject(new UpstreamDownError('Next does not answer', { cause })));
      response.once('close', () => {
        // The client hung up, and Next need not go on; or Next did not want the rest of the body.
        if (!response.writableFinished || !sent.writableEnded) sent.destroy();
        // Whatever is left of it stands before the client's next request.
        request.unpipe(sent).resume();
      });
      if (hasBody(request)) request.pipe(sent);
      else sent.end();
    });

  return {
    ask,
    async forward(request, response) {
      relay(await ask(request, response), response);
    },
    call: (method, path, headers, body) =>
      new Promise((resolve, reject) => {
        const sent = open({ agent, socketPath, method, path, headers }, resolve);
        sent.once('error', (cause) => reject(new UpstreamDownError('Next does not answer', { cause })));
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** Sends an answer of Next's on, as it comes. */
export function relay(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502, statusMessage, rawHeaders } = answer;
  response.writeHead(
    statusCode,
    statusMessage,
    pick(rawHeaders, (name) => !OF_THE_FRAMING.has(name)),
  );
  // A stream of events may stay silent for long; its head should not.
  if (answer.headers['content-length'] === undefined) response.flushHeaders();
  pipeline(answer, response, () => {});
}

function passedOn(request: IncomingMessage): string[] {
  const { rawHeaders, headers, socket } = request;
  const list = pick(
    rawHeaders,
    (name) => headers[name] !== undefined && !OF_ONE_CONNECTION.has(name) && name !== CLIENT_HEADER,
  );
  list.push(CLIENT_HEADER, clientHeader(request));
  // What Next itself would add if it saw the client's connection.
  if (headers['x-forwarded-for'] === undefined) list.push('x-forwarded-for', socket.remoteAddress ?? '');
  return list;
}

function pick(rawHeaders: readonly string[], isWanted: (name: string) => boolean): string[] {
  const list: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (isWanted(name.toLowerCase())) list.push(name, rawHeaders[at + 1] as string);
  }
  return list;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
