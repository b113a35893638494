import {
  Agent,
  type IncomingMessage,
  request as open,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import { limitMs } from '@/lib/time-limits';
import { OF_ONE_CONNECTION, passedHeaders, pickHeaders } from './passed-headers';
import { pathOf } from './site-map';

const MAX_IDLE_CONNECTIONS = 256;
/** The longest wait for the head of an answer, but for those of functions. */
const ANSWER_WITHIN_MS = 65_000;
const FUNCTIONS_PATH = '/api/inngest';

/** Next does not run, because it is starting or restarting after a crash, or it doesn't answer. */
export class UpstreamDownError extends Error {
  override name = 'UpstreamDownError';
}

/** Next in its own process, reached over a Unix socket. */
export type Upstream = {
  /**
   * Passes a request on and its answer back. Resolves when Next has begun to answer, even if the client has hung up
   * meanwhile: until then Next is at work. @throws UpstreamDownError before anything was sent back.
   */
  forward: (request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void>;
  /** Sends a request of our own. @throws UpstreamDownError */
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

  const ask = (options: RequestOptions, body: Buffer | string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { timeout = ANSWER_WITHIN_MS } = options;
      const sent = open({ agent, socketPath, ...options, timeout });
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${timeout} ms`)));
      sent.on('error', (cause) => reject(new UpstreamDownError('Next does not answer', { cause })));
      sent.once('response', (answer) => {
        // From here on the answer may be silent for any length of time: it may be a stream.
        sent.setTimeout(0);
        resolve(answer);
      });
      sent.end(body);
    });

  return {
    async forward(request, response, body) {
      const { method, url: path = '' } = request;
      const headers = passedHeaders(request, body.length) as never;
      const timeout = pathOf(path) === FUNCTIONS_PATH ? limitMs('functionAnswer') : undefined;
      // The client, too, hears nothing from a function at work: for this answer its connection may be silent as long.
      if (timeout !== undefined) response.setTimeout(timeout);
      const answer = await ask({ method, path, headers, timeout }, body);
      if (response.destroyed) answer.destroy();
      else relay(answer, response);
    },
    call: (method, path, headers, body = '') => ask({ method, path, headers }, body),
    close: () => agent.destroy(),
  };
}

/** Passes Next's answer on as it comes. */
function relay(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502, statusMessage, rawHeaders } = answer;
  response.writeHead(
    statusCode,
    statusMessage,
    pickHeaders(rawHeaders, (name) => !OF_ONE_CONNECTION.has(name)),
  );
  // An event stream may stay silent for long; its head should not wait.
  if (answer.headers['content-length'] === undefined) response.flushHeaders();
  pipeline(answer, response, () => {});
}
