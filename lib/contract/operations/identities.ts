import { z } from 'zod';
import { area } from '../operation';
import { ownerProof } from '../shapes/factor';
import { begunJoining, identities, identityJoining } from '../shapes/identity';
import { OF_OWNER } from './factors';

export const signInServer = area(
  'Sign-in server',
  'A server of the shop that signs people in by OpenID Connect, where the shop has one: `GET /api/visit` then tells its name. `POST /api/auth/signin/openid` with `locale` and `callbackUrl` answers with the `url` to go to; the server sends the browser back to `GET /api/auth/callback/openid`. 503 `SIGN_IN_SERVER_AWAY`: sign in with the password. An account that was there before is opened only if its owner has joined the server here.',
);
const { operation } = signInServer;

export const listIdentities = operation('GET /api/account/identities', {
  who: 'user',
  says: 'The sign-in servers that open the own account, and the one that it may join.',
  answers: { 200: identities },
});

export const joinIdentity = operation('POST /api/account/identities', {
  who: 'user',
  says: 'Begins to join a sign-in server to the own account. It is joined when the browser comes back from there within this session; then the other sessions end, and the entry tokens they got.',
  body: identityJoining,
  answers: { 200: begunJoining },
  errors: [
    ...OF_OWNER,
    'NOT_FOUND',
    'IDENTITY_EXISTS',
    'ADDRESS_UNVERIFIED',
    'DEMO_ACCOUNT',
    'SIGN_IN_SERVER_AWAY',
  ],
});

export const removeIdentity = operation('POST /api/account/identities/{identityId}/remove', {
  who: 'user',
  says: 'Removes a sign-in server from the own account; never the only way in. The other sessions end, and the entry tokens they got.',
  body: ownerProof,
  answers: { 200: z.object({ removed: z.literal(true) }) },
  errors: [...OF_OWNER, 'IDENTITY_NOT_FOUND'],
});
