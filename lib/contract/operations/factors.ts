import { z } from 'zod';
import { type Area, operation } from '../operation';
import {
  begunTotp,
  confirmation,
  factorProof,
  factorRemoval,
  factors,
  recoveryCodes,
  totpBeginning,
  totpConfirmation,
} from '../shapes/factor';
import { passkeyAddition, passkeyBeginning, passkeyQuestion, passkeyWish } from '../shapes/passkey';

const removed = z.object({ removed: z.literal(true) });

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
  says: 'Makes the secret of an app for one-time codes. It counts for nothing until a code of it is shown.',
  body: totpBeginning,
  answers: { 200: begunTotp },
  errors: ['PASSWORD_WRONG', 'DEMO_ACCOUNT', 'FACTOR_EXISTS', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const confirmTotp = operation({
  id: 'confirmTotp',
  method: 'POST',
  path: '/api/account/factors/totp/confirm',
  who: 'user',
  says: 'Makes that app a second factor, for a code of it. The other sessions end, and the entry tokens they got.',
  body: totpConfirmation,
  answers: { 200: recoveryCodes },
  errors: ['FACTOR_CODE_WRONG', 'RATE_LIMITED'],
});

export const removeTotp = operation({
  id: 'removeTotp',
  method: 'POST',
  path: '/api/account/factors/totp/remove',
  who: 'user',
  says: 'Removes that app, for a code or a passkey; without any passkey the recovery codes go too. The other sessions end, and the entry tokens they got.',
  body: factorRemoval,
  answers: { 200: removed },
  errors: ['PASSWORD_WRONG', 'FACTOR_CODE_WRONG', 'PASSKEY_WRONG', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const renewRecoveryCodes = operation({
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/account/factors/recovery-codes',
  who: 'user',
  says: 'Gives new recovery codes in place of the old ones.',
  body: factorProof,
  answers: { 200: recoveryCodes },
  errors: ['FACTOR_CODE_WRONG', 'PASSKEY_WRONG', 'RATE_LIMITED'],
});

export const askPasskey = operation({
  id: 'askPasskey',
  method: 'POST',
  path: '/api/account/factors/passkeys/ask',
  who: 'user',
  says: 'Asks for a passkey of the own account, for an operation that wants a factor. The browser keeps a cookie for five minutes; an answer is good once.',
  answers: { 200: passkeyQuestion },
});

export const beginPasskey = operation({
  id: 'beginPasskey',
  method: 'POST',
  path: '/api/account/factors/passkeys',
  who: 'user',
  says: 'Says what passkey the browser shall make. The browser keeps a cookie for five minutes; nothing counts before it is added.',
  body: passkeyBeginning,
  answers: { 200: passkeyWish },
  errors: ['PASSWORD_WRONG', 'DEMO_ACCOUNT', 'PASSKEYS_FULL', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const addPasskey = operation({
  id: 'addPasskey',
  method: 'POST',
  path: '/api/account/factors/passkeys/add',
  who: 'user',
  says: 'Adds the passkey that the browser has made: from now on it signs in alone, or stands for a code after the password. The other sessions end, and the entry tokens they got.',
  body: passkeyAddition,
  answers: { 201: recoveryCodes.extend({ passkeyId: z.string() }) },
  errors: ['PASSKEY_WRONG', 'PASSKEY_EXISTS', 'PASSKEYS_FULL'],
});

export const removePasskey = operation({
  id: 'removePasskey',
  method: 'POST',
  path: '/api/account/factors/passkeys/{passkeyId}/remove',
  who: 'user',
  says: 'Removes a passkey, for a code or a passkey, which may be this one; with the last factor the recovery codes go too. The other sessions end, and the entry tokens they got.',
  body: factorRemoval,
  answers: { 200: removed },
  errors: [
    'PASSKEY_NOT_FOUND',
    'PASSWORD_WRONG',
    'FACTOR_CODE_WRONG',
    'PASSKEY_WRONG',
    'RATE_LIMITED',
    'UNAVAILABLE',
  ],
});

export const confirmAgain = operation({
  id: 'confirmAgain',
  method: 'POST',
  path: '/api/account/confirm',
  who: 'user',
  says: 'Shows once more who asks, by a factor, or by the password if the account has none: for some minutes this session may do what is dangerous. Signing in counts as well.',
  body: confirmation,
  answers: { 200: z.object({ confirmed: z.literal(true) }) },
  errors: [
    'FACTOR_NEEDED',
    'PASSWORD_WRONG',
    'FACTOR_CODE_WRONG',
    'PASSKEY_WRONG',
    'RATE_LIMITED',
    'UNAVAILABLE',
  ],
});

export const secondFactor: Area = {
  name: 'Second factor',
  says: 'An app for one-time codes, passkeys, and recovery codes for whoever has lost them.',
  operations: [
    listFactors,
    beginTotp,
    confirmTotp,
    removeTotp,
    renewRecoveryCodes,
    askPasskey,
    beginPasskey,
    addPasskey,
    removePasskey,
    confirmAgain,
  ],
};
