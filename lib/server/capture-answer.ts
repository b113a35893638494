import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

export type Captured = {
  body: Buffer;
  /** Name, value … without what belongs to one transmission. */
  headers: string[];
  maxAgeMs: number;
  /** What Next said about its own cache, e.g. MISS. */
  cacheState: string;
  /** False while Next renders the page anew in the background: what it said meanwhile is old. */
  isFresh: boolean;
};

const OF_ONE_TRANSMISSION =
  /^(?:content-length|content-encoding|transfer-encoding|etag|date|connection|keep-alive|x-nextjs-cache)$/i;
const SHARED_MAX_AGE = /s-maxage=(\d+)/;
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Lets `answer` write to the response and keeps what it writes back if it is a 200 that shared caches may keep and sets no
 * cookie; anything else goes out untouched, as it comes.
 * @returns what was written, for the caller to send; null when it has gone out already.
 */
export async function captureAnswer(
  response: ServerResponse,
  answer: () => Promise<void>,
): Promise<Captured | null> {
  const { write, end, writeHead, flushHeaders } = response;
  const chunks: Buffer[] = [];
  let size = 0;
  let isKept: boolean | undefined;
  let finish: (captured: Captured | null) => void = () => {};
  const captured = new Promise<Captured | null>((resolve) => {
    finish = resolve;
  });

  const restore = () => Object.assign(response, { write, end, writeHead, flushHeaders });
  /** Decides at the first sign of an answer; once passed on, the response is its old self again. */
  const passesOn = (): boolean => {
    isKept ??= isShareable(response);
    if (isKept) return false;
    restore();
    finish(null);
    return true;
  };
  const keep = (chunk: unknown, encoding: unknown) => {
    if (chunk === undefined || chunk === null || typeof chunk === 'function') return;
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    chunks.push(bytes);
  };
  const call = (method: (...args: never[]) => unknown, args: unknown[]) =>
    method.apply(response, args as never[]);

  Object.assign(response, {
    flushHeaders() {
      if (passesOn()) flushHeaders.call(response);
    },
    writeHead(status: number, ...rest: unknown[]) {
      const headers = rest.find((item) => typeof item === 'object') as OutgoingHttpHeaders | undefined;
      if (status !== 200 || Array.isArray(headers)) {
        isKept = false;
        passesOn();
        return call(writeHead, [status, ...rest]);
      }
      response.statusCode = status;
      for (const [name, value] of Object.entries(headers ?? {}))
        if (value !== undefined) response.setHeader(name, value);
      return passesOn() ? call(writeHead, [status]) : response;
    },
    write(chunk: unknown, ...rest: unknown[]) {
      if (passesOn()) return call(write, [chunk, ...rest]);
      keep(chunk, rest[0]);
      if (size > MAX_BODY_BYTES) {
        isKept = false;
        passesOn();
        return call(write, [Buffer.concat(chunks)]);
      }
      const done = rest.at(-1);
      if (typeof done === 'function') queueMicrotask(() => done());
      return true;
    },
    end(...args: unknown[]) {
      if (passesOn()) return call(end, args);
      keep(args[0], args[1]);
      restore();
      finish(toCaptured(response, Buffer.concat(chunks)));
      return response;
    },
  });
  response.once('close', () => finish(null));
  await Promise.race([captured, answer().then(() => captured)]);
  return captured;
}

function isShareable(response: ServerResponse): boolean {
  return (
    response.statusCode === 200 &&
    SHARED_MAX_AGE.test(String(response.getHeader('cache-control'))) &&
    response.getHeader('set-cookie') === undefined &&
    response.getHeader('content-encoding') === undefined
  );
}

function toCaptured(response: ServerResponse, body: Buffer): Captured {
  const headers: string[] = [];
  const raw = response.getHeaderNames();
  for (const name of raw) {
    if (!OF_ONE_TRANSMISSION.test(name)) headers.push(name, String(response.getHeader(name)));
  }
  const cacheState = String(response.getHeader('x-nextjs-cache') ?? 'MISS');
  for (const name of raw) response.removeHeader(name);
  const maxAge = SHARED_MAX_AGE.exec(String(headers.join('\n')));
  return {
    body,
    headers,
    maxAgeMs: Number(maxAge?.[1] ?? 0) * 1000,
    cacheState,
    isFresh: cacheState !== 'STALE',
  };
}
