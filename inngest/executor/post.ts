import http from 'node:http';
import https from 'node:https';

export interface PostReply {
  status: number;
  header(name: string): string | null;
  text: string;
}

const MAX_SOCKETS = 256;
const agents = {
  'http:': new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
};

interface Call {
  url: URL;
  body: string;
  headers: Record<string, string>;
  timeoutMs: number;
  maxBytes: number;
  /** A kept connection that is reset this soon was closed before the call came. */
  staleMs: number;
}

function attempt({ url, body, headers, timeoutMs, maxBytes }: Call, isFresh: boolean) {
  const isHttps = url.protocol === 'https:';
  const request = (isHttps ? https : http).request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: !isFresh && agents[isHttps ? 'https:' : 'http:'],
    signal: AbortSignal.timeout(timeoutMs),
  });
  const reply = new Promise<PostReply>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) response.destroy(new Error(`the answer is larger than ${maxBytes} bytes`));
        chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          header: (name) => response.headers[name]?.toString() ?? null,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
  });
  request.end(body);
  return { request, reply };
}

/**
 * Sends one POST over a kept-alive connection. Not with `fetch`: under load the app closes an idle connection just
 * when it is used again. `fetch` can't tell that from a failed call, which would then wait the 15 s of a first retry.
 * @throws Error with the reason in `message` and, for network errors, `code`.
 */
export async function post(call: Call): Promise<PostReply> {
  const startedAt = performance.now();
  const first = attempt(call, false);
  try {
    return await first.reply;
  } catch (error) {
    const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
    // Node's documentation of `reusedSocket` recommends this: the request may have met a connection that was just
    // being closed.
    // Much later the app is at work on the call, and a second one would run beside it.
    const isStale = performance.now() - startedAt < call.staleMs;
    if (!isReset || !first.request.reusedSocket || !isStale) throw error;
    return attempt(call, true).reply;
  }
}
