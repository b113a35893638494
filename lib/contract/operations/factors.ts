import { z } from 'zod';
import { type Area, operation } from '../operation';
import {
  begunTotp,
  factorProof,
  factorRemoval,
  factors,
  recoveryCodes,
  totpBeginning,
} from '../shapes/factor';

export const listFactors = operation({
  id: 'listFactors',
  method: 'GET',
  path: '/api/account/factors',
  who: 'user',
  says: 'The second factors of the own account, and how many recovery codes are left.',
  answers: { 200: factors },
});

export const beginTotp = operation({
  id: 'beginTotp',
  method: 'POST',
  path: '/api/account/factors/totp',
  who: 'user',
  says: 'Makes the secret of an app for one-time codes. It counts for nothing until this session shows a code of it, within an hour.',
  body: totpBeginning,
  answers: { 200: begunTotp },
  errors: ['PASSWORD_WRONG', 'DEMO_ACCOUNT', 'FACTOR_EXISTS', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const confirmTotp = operation({
  id: 'confirmTotp',
  method: 'POST',
  path: '/api/account/factors/totp/confirm',
  who: 'user',
  says: 'Makes that app the second factor of the account, by a code of it. The other sessions end, and the entry tokens they got.',
  body: factorProof,
  answers: { 200: recoveryCodes },
  errors: ['FACTOR_CODE_WRONG', 'RATE_LIMITED'],
});

export const removeTotp = operation({
  id: 'removeTotp',
  method: 'POST',
  path: '/api/account/factors/totp/remove',
  who: 'user',
  says: 'Removes the app and the recovery codes, by the password and a code. The other sessions end, and the entry tokens they got.',
  body: factorRemoval,
  answers: { 200: z.object({ removed: z.literal(true) }) },
  errors: ['PASSWORD_WRONG', 'FACTOR_CODE_WRONG', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const renewRecoveryCodes = operation({
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/account/factors/recovery-codes',
  who: 'user',
  says: 'Gives new recovery codes in place of the old ones, by a code.',
  body: factorProof,
  answers: { 200: recoveryCodes },
  errors: ['FACTOR_CODE_WRONG', 'RATE_LIMITED'],
});

export const secondFactor: Area = {
  name: 'Second factor',
  says: 'An app for one-time codes, and recovery codes for its loss. Signing in to an account that has one takes two steps: after the password `POST callback/credentials` answers 401 `SECOND_FACTOR_NEEDED` and sets a cookie for five minutes; then `POST /api/auth/callback/second-step` with `csrfToken`, `code` and `json=true` signs in. 403 `FACTOR_CODE_WRONG`; 401 `SECOND_STEP_OVER`: begin again with the password; 429 `RATE_LIMITED` with growing waits.',
  operations: [listFactors, beginTotp, confirmTotp, removeTotp, renewRecoveryCodes],
};
