import { z } from 'zod';
import { area } from '../operation';
import {
  begunTotp,
  confirmation,
  factorProof,
  factors,
  ownerProof,
  recoveryCodes,
  totpConfirmation,
} from '../shapes/factor';
import { passkeyAddition, passkeyQuestion, passkeyWish } from '../shapes/passkey';

export const secondFactor = area(
  'Second factor',
  'An app for one-time codes, passkeys, and recovery codes for their loss. Signing in with the password to an account that has one takes two steps: after the password `POST callback/credentials` answers 401 `SECOND_FACTOR_NEEDED` and sets a cookie for five minutes; then `POST /api/auth/callback/second-step` with `csrfToken`, `code` and `json=true` signs in. 403 `FACTOR_CODE_WRONG`; 401 `SECOND_STEP_OVER`: begin again with the password; 429 `RATE_LIMITED` with growing waits. A passkey signs in alone: `POST /api/auth/passkey` answers with the question for it, as `askPasskey` does; `POST /api/auth/callback/passkey` with `passkey` signs in. 403 `PASSKEY_WRONG`.',
);
const { operation } = secondFactor;

/** The refusals of whoever can't show that they own the account. */
export const OF_OWNER = [
  'PASSWORD_WRONG',
  'NO_PASSWORD',
  'FACTOR_CODE_WRONG',
  'PASSKEY_WRONG',
  'RATE_LIMITED',
  'UNAVAILABLE',
] as const;
const removed = z.object({ removed: z.literal(true) });

export const listFactors = operation('GET /api/account/factors', {
  who: 'user',
  says: 'The second factors of the own account, and how many recovery codes are left.',
  answers: { 200: factors },
});

export const beginTotp = operation('POST /api/account/factors/totp', {
  who: 'user',
  says: 'Makes the secret of an app for one-time codes. It counts for nothing until this session shows a code of it, within an hour.',
  body: ownerProof,
  answers: { 200: begunTotp },
  errors: [...OF_OWNER, 'ADDRESS_UNVERIFIED', 'DEMO_ACCOUNT', 'FACTOR_EXISTS'],
});

export const confirmTotp = operation('POST /api/account/factors/totp/confirm', {
  who: 'user',
  says: 'Makes that app a second factor of the account, by a code of it. The other sessions end, and the entry tokens they got.',
  body: totpConfirmation,
  answers: { 200: recoveryCodes },
  errors: ['FACTOR_CODE_WRONG', 'RATE_LIMITED'],
});

export const removeTotp = operation('POST /api/account/factors/totp/remove', {
  who: 'user',
  says: 'Removes the app, by the password and any second factor; the recovery codes go with the last one. The other sessions end, and the entry tokens they got.',
  body: ownerProof,
  answers: { 200: removed },
  errors: [...OF_OWNER, 'FACTOR_NOT_FOUND'],
});

export const renewRecoveryCodes = operation('POST /api/account/factors/recovery-codes', {
  who: 'user',
  says: 'Gives new recovery codes in place of the old ones, by a second factor or one of the old codes.',
  body: factorProof,
  answers: { 200: recoveryCodes },
  errors: ['FACTOR_CODE_WRONG', 'PASSKEY_WRONG', 'RATE_LIMITED'],
});

export const askPasskey = operation('POST /api/account/factors/passkeys/ask', {
  who: 'user',
  says: 'The question for a passkey of the own account, whose answer an operation takes instead of a code. A cookie keeps it for five minutes; it is answered once.',
  answers: { 200: passkeyQuestion },
});

export const beginPasskey = operation('POST /api/account/factors/passkeys', {
  who: 'user',
  says: 'The passkey that the browser is to make. A cookie keeps its challenge for five minutes; nothing counts before `addPasskey`.',
  body: ownerProof,
  answers: { 200: passkeyWish },
  errors: [...OF_OWNER, 'ADDRESS_UNVERIFIED', 'DEMO_ACCOUNT', 'PASSKEYS_FULL'],
});

export const addPasskey = operation('POST /api/account/factors/passkeys/add', {
  who: 'user',
  says: 'Adds the passkey that the browser has made: it signs in without a password. The other sessions end, and the entry tokens they got.',
  body: passkeyAddition,
  answers: { 201: recoveryCodes.extend({ passkeyId: z.string() }) },
  errors: ['PASSKEY_WRONG', 'PASSKEY_EXISTS', 'PASSKEYS_FULL'],
});

export const removePasskey = operation('POST /api/account/factors/passkeys/{passkeyId}/remove', {
  who: 'user',
  says: 'Removes a passkey, by the password and any second factor, which may be this one; the recovery codes go with the last one. The other sessions end, and the entry tokens they got.',
  body: ownerProof,
  answers: { 200: removed },
  errors: [...OF_OWNER, 'FACTOR_NOT_FOUND'],
});

export const confirmAgain = operation('POST /api/account/confirm', {
  who: 'user',
  says: 'Shows once more who asks: by a second factor, or by the password if the account has none. For some minutes this session may then do what is refused with 403 `CONFIRM_AGAIN`. Signing in counts as well.',
  body: confirmation,
  answers: { 200: z.object({ confirmed: z.literal(true) }) },
  errors: [...OF_OWNER],
});
