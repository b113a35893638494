import type { IncomingMessage } from 'node:http';

const NONE = Promise.resolve('');

/**
 * A request's body as text; null when it is larger than `maxBytes`, of which no more is read. A request without a body
 * costs nothing.
 * @throws Error when the client goes away in the middle.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  const length = request.headers['content-length'];
  if (request.headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
    return NONE;
  if (Number(length ?? 0) > maxBytes) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else resolve(null);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
    request.on('close', () => reject(new ClientGoneError()));
  });
}

/** The client hung up before its request was complete: nobody is left to answer. */
export class ClientGoneError extends Error {
  override name = 'ClientGoneError';
}
