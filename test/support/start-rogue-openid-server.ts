import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@/lib/ids/new-id';

export type Rogue = {
  /** Replaces the answers of paths. */
  paths?: Record<string, RequestListener>;
  /** Replaces fields of its description. */
  told?: object;
  /** Replaces claims of the ID token; undefined leaves one out. */
  claims?: Record<string, unknown>;
  alg?: keyof typeof SIGNERS;
};

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const SIGNERS = {
  RS256: (text: string) => sign('RSA-SHA256', Buffer.from(text), privateKey),
  HS256: (text: string, secret: string) => createHmac('sha256', secret).update(text).digest(),
  none: () => Buffer.alloc(0),
};
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * Starts an OpenID Connect server that does everything right but for what a test wants of it. It asks nobody anything: the
 * test brings the code back by itself.
 * @returns `asked`: what the next ID token says of the sign-in; the test sets its nonce
 */
export async function startRogueOpenIdServer(
  given: Rogue & { clientId: string; clientSecret: string },
): Promise<{ issuer: string; asked: { nonce: string; sub: string }; close: () => void }> {
  const { paths = {}, told = {}, claims = {}, alg = 'RS256', clientId, clientSecret } = given;
  const asked = { nonce: '', sub: newId('sub') };
  const answers = { ...rightAnswers(), ...paths };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };

  function rightAnswers(): Record<string, RequestListener> {
    return {
      '/.well-known/openid-configuration': (_, response) => {
        const endpoints = { authorization_endpoint: 'auth', token_endpoint: 'token', jwks_uri: 'keys' };
        const addresses = Object.entries({ ...endpoints, userinfo_endpoint: 'me' }).map(([name, path]) => [
          name,
          `${issuer}/${path}`,
        ]);
        response.end(JSON.stringify({ issuer, ...Object.fromEntries(addresses), ...told }));
      },
      '/keys': (_, response) => {
        const key = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
        response.end(JSON.stringify({ keys: [key] }));
      },
      '/token': (_, response) => {
        response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: makeToken() }));
      },
    };
  }

  function makeToken(): string {
    const iat = Math.floor(Date.now() / 1_000);
    const right = { iss: issuer, aud: clientId, iat, exp: iat + 300, email: null, ...asked };
    const text = `${encode({ alg, kid: 'one' })}.${encode({ ...right, ...claims })}`;
    return `${text}.${SIGNERS[alg](text, clientSecret).toString('base64url')}`;
  }
}
