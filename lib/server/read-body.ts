import type { IncomingMessage } from 'node:http';

const NONE = Promise.resolve('');

/**
 * A request's body as text; null when it is larger than `maxBytes`, of which no more is read. A request without a body
 * costs nothing.
 * @param withinMs how long the client may take
 * @throws ClientGoneError when the client goes away in the middle or takes longer.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  withinMs: number,
): Promise<string | null> {
  const length = request.headers['content-length'];
  if (!hasBody(request)) return NONE;
  if (Number(length ?? 0) > maxBytes) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooSlow = setTimeout(() => reject(new ClientGoneError()), withinMs);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else settle(null);
    });
    const settle = (body: string | null) => {
      clearTimeout(tooSlow);
      resolve(body);
    };
    request.on('end', () => settle(Buffer.concat(chunks).toString('utf8')));
    const giveUp = () => {
      clearTimeout(tooSlow);
      reject(new ClientGoneError());
    };
    request.on('error', giveUp);
    request.on('close', giveUp);
  });
}

/** Whether a request comes with a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The client hung up before its request was complete, or never completes it: nobody is left to answer. */
export class ClientGoneError extends Error {
  override name = 'ClientGoneError';
}
