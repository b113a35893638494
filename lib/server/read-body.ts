import type { IncomingMessage } from 'node:http';

const NONE = Promise.resolve(Buffer.alloc(0));

type ReadBodyOptions = {
  maxBytes: number;
  /** How long the client may take. */
  withinMs: number;
  /** Called for each piece: says whether there is room for it; without it there always is. */
  hasRoom?: (bytes: number) => boolean;
};

/**
 * Reads a request's body. A request without one costs nothing.
 * @returns `too_large`: the body is larger than `maxBytes`; `no_room`: `hasRoom` refused. It reads no further then.
 * @throws ClientGoneError when the client goes away in the middle or takes too long; its connection is cut.
 */
export function readBody(
  request: IncomingMessage,
  { maxBytes, withinMs, hasRoom = () => true }: ReadBodyOptions,
): Promise<Buffer | 'too_large' | 'no_room'> {
  if (!hasBody(request)) return NONE;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve('too_large');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isSettled = false;
    const tooSlow = setTimeout(() => giveUp(), withinMs);
    const settle = (body: Buffer | 'too_large' | 'no_room') => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(tooSlow);
      resolve(body);
    };
    // Also for a request waiting behind another answer on its connection: it must not ask for room after we have
    // given up.
    const giveUp = () => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(tooSlow);
      reject(new ClientGoneError());
      request.destroy();
    };
    request.on('data', (chunk: Buffer) => {
      if (isSettled) return;
      size += chunk.length;
      if (size > maxBytes) settle('too_large');
      else if (!hasRoom(chunk.length)) settle('no_room');
      else chunks.push(chunk);
    });
    request.on('end', () => settle(Buffer.concat(chunks)));
    request.on('error', giveUp);
    request.on('close', giveUp);
  });
}

/** Says whether a request comes with a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The client hung up before its request was complete, or never completes it: there is no client left to answer. */
export class ClientGoneError extends Error {
  override name = 'ClientGoneError';
}
