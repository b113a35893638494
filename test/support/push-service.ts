import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { decrypt } from 'http_ece';
import type { PushMessage, PushSubscription } from '@/lib/contract/shapes/push';

type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer };

/** Starts what the vendor of a browser runs. It answers with `status` of the path, or 201. */
export async function startPushService() {
  const received: Received[] = [];
  const status = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    received.push({ path, headers: request.headers, body: await buffer(request) });
    response.writeHead(status.get(path) ?? 201).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    status,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Makes the keys of a browser, which alone can read what is sealed for it. */
export function newBrowser(origin: string, path: string) {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const auth = randomBytes(16).toString('base64url');
  const subscription: PushSubscription = {
    endpoint: `${origin}${path}`,
    keys: { p256dh: keys.getPublicKey('base64url'), auth },
  };
  const read = (body: Buffer): PushMessage =>
    JSON.parse(decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth }).toString('utf8'));
  return { subscription, read };
}

/**
 * Checks the proof of a message's sender as a push service does (RFC 8292).
 * @returns its claims; null: this key has not signed it
 */
export function claimsOf({ authorization = '' }: IncomingHttpHeaders, publicKey: string) {
  const [, token = '', key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', body = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x, y };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned || key !== publicKey) return null;
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as {
    aud: string;
    exp: number;
    sub: string;
  };
}
