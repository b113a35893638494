import { z } from 'zod';
import { operation } from '../operation';
import { begunJoining, signInJoining, signInRemoval, signIns, signInWays } from '../shapes/sign-in';

export const readSignInWays = operation({
  id: 'readSignInWays',
  method: 'GET',
  path: '/api/sign-in-ways',
  who: 'nothing',
  says: 'The ways to sign in besides a password, for the sign-in page.',
  answers: { 200: signInWays },
});

export const listSignIns = operation({
  id: 'listSignIns',
  method: 'GET',
  path: '/api/account/sign-ins',
  who: 'user',
  says: 'The ways in which the own account can be signed in to.',
  answers: { 200: signIns },
});

export const joinSignIn = operation({
  id: 'joinSignIn',
  method: 'POST',
  path: '/api/account/sign-ins',
  who: 'user',
  says: 'Begins to join a sign-in of the OpenID Connect server to the own account, by its password. It is joined when the browser comes back from that server to this session.',
  body: signInJoining,
  answers: { 200: begunJoining },
  errors: [
    'SIGN_IN_NOT_OFFERED',
    'SIGN_IN_EXISTS',
    'SIGN_IN_AWAY',
    'OWN_EMAIL_UNVERIFIED',
    'NO_PASSWORD',
    'PASSWORD_WRONG',
    'DEMO_ACCOUNT',
    'RATE_LIMITED',
    'UNAVAILABLE',
  ],
});

export const removeSignIn = operation({
  id: 'removeSignIn',
  method: 'POST',
  path: '/api/account/sign-ins/{identityId}/remove',
  who: 'user',
  says: 'Takes such a sign-in away from the own account, by its password; never the only way in. The other sessions end, and the entry tokens they got.',
  body: signInRemoval,
  answers: { 200: z.object({ removed: z.literal(true) }) },
  errors: ['SIGN_IN_NOT_FOUND', 'NO_PASSWORD', 'PASSWORD_WRONG', 'RATE_LIMITED', 'UNAVAILABLE'],
});
