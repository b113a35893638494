import {
  Agent,
  type IncomingMessage,
  request as open,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import { OF_ONE_CONNECTION, passedHeaders, pickHeaders } from './passed-headers';

const MAX_IDLE_CONNECTIONS = 256;
/** For the head of an answer. A step of a function may take a minute. */
const ANSWER_WITHIN_MS = 65_000;

/** Next is not there: it starts, or starts again after a crash. Or it doesn't answer. */
export class UpstreamDownError extends Error {
  override name = 'UpstreamDownError';
}

/** Next in its own process, reached over a Unix socket. */
export type Upstream = {
  /**
   * Passes a request on and its answer back. Resolves when Next has begun to answer, also if the client has hung up
   * meanwhile: until then Next is at work. @throws UpstreamDownError before anything was sent back.
   */
  forward: (request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void>;
  /** A request of our own. @throws UpstreamDownError */
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
      const sent = open({ agent, socketPath, timeout: ANSWER_WITHIN_MS, ...options });
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`)));
      sent.on('error', (cause) => reject(new UpstreamDownError('Next does not answer', { cause })));
      sent.once('response', (answer) => {
        // From here on it may say nothing for as long as it likes: a stream.
        sent.setTimeout(0);
        resolve(answer);
      });
      sent.end(body);
    });

  return {
    async forward(request, response, body) {
      const { method, url: path } = request;
      const headers = passedHeaders(request, body.length) as never;
      const answer = await ask({ method, path, headers }, body);
      if (response.destroyed) answer.destroy();
      else relay(answer, response);
    },
    call: (method, path, headers, body = '') => ask({ method, path, headers }, body),
    close: () => agent.destroy(),
  };
}

/** Sends an answer of Next's on, as it comes. */
function relay(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502, statusMessage, rawHeaders } = answer;
  response.writeHead(
    statusCode,
    statusMessage,
    pickHeaders(rawHeaders, (name) => !OF_ONE_CONNECTION.has(name)),
  );
  // A stream of events may stay silent for long; its head should not.
  if (answer.headers['content-length'] === undefined) response.flushHeaders();
  pipeline(answer, response, () => {});
}
