import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

/**
 * Starts a real OpenID Connect server on this machine, with a page on which anybody signs in as whoever they name.
 * @param {{ clientId: string, clientSecret: string, redirectUris: string[] }} client
 */
export async function startOpenIdServer(client) {
  /** @type {Provider | undefined} */
  let provider;
  /** The claims about each person, by subject. @type {Map<string, Record<string, unknown>>} */
  const people = new Map();
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname.startsWith('/interaction/')) await interact(provider, people, request, response);
      else provider?.callback()(request, response);
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const issuer = `http://127.0.0.1:${address.port}`;
  provider = new Provider(issuer, configure({ ...client, people }));
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve(undefined));
      }),
  };
}

/** @param {any} given */
function configure({ clientId, clientSecret, redirectUris, people }) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    interactions: { url: (/** @type {any} */ _, /** @type {any} */ { uid }) => `/interaction/${uid}` },
    findAccount: (/** @type {any} */ _, /** @type {string} */ accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people.get(accountId) }),
    }),
    ttl: {
      Interaction: 600,
      Session: 600,
      Grant: 600,
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
    },
    // To sign in is to agree.
    async loadExistingGrant(/** @type {any} */ ctx) {
      const { client, session, provider } = ctx.oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

const FORM = `<!doctype html><html lang="en"><title>Sign in there</title><h1>Sign in there</h1><form method="post">
<p><label>E-mail <input name="email"></label></p><p><label>Name <input name="name"></label></p>
<p><label><input type="checkbox" name="verified" value="1" checked> Verified</label></p>
<p><button>Go on</button> <button name="cancel" value="1">Cancel</button></p></form></html>`;

/** @param {any} provider @param {Map<string, Record<string, unknown>>} people @param {any} request @param {any} response */
async function interact(provider, people, request, response) {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(FORM);
    return;
  }
  let text = '';
  for await (const chunk of request) text += chunk;
  const form = new URLSearchParams(text);
  if (form.has('cancel')) {
    await provider.interactionFinished(request, response, { error: 'access_denied' });
    return;
  }
  const email = form.get('email') ?? '';
  const accountId = form.get('sub') ?? createHash('sha256').update(email).digest('hex').slice(0, 24);
  people.set(accountId, { email, email_verified: form.has('verified'), name: form.get('name') ?? '' });
  await provider.interactionFinished(request, response, { login: { accountId } });
}
