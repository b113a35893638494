import { z } from 'zod';
import { knownPassword } from './account';
import { time } from './common';
import { passkey, passkeyAnswer } from './passkey';

/** A one-time code of six digits, or a recovery code. */
export const factorCode = z.string().trim().min(6).max(40);

const givenFactor = {
  code: factorCode.optional(),
  passkey: passkeyAnswer.optional().describe('Instead of a code: what a passkey answers to `askPasskey`.'),
};
type GivenFactor = { code?: unknown; passkey?: unknown };
const isOne = ({ code, passkey: answer }: GivenFactor) => (code === undefined) !== (answer === undefined);
const NEEDS_ONE = { error: 'needs a code or the answer of a passkey, and not both' };

export const totpBeginning = z.strictObject({ currentPassword: knownPassword });
export const totpConfirmation = z.strictObject({ code: factorCode });
/** Shows a factor that the account has. */
export const factorProof = z.strictObject(givenFactor).refine(isOne, NEEDS_ONE);
export type FactorProof = z.output<typeof factorProof>;
export const factorRemoval = z
  .strictObject({ currentPassword: knownPassword, ...givenFactor })
  .refine(isOne, NEEDS_ONE);
export type FactorRemoval = z.output<typeof factorRemoval>;

const isOneOf = (given: GivenFactor & { currentPassword?: unknown }) =>
  [given.currentPassword, given.code, given.passkey].filter((each) => each !== undefined).length === 1;
/** Shows once more who asks; the password is for accounts without a factor. */
export const confirmation = z
  .strictObject({ currentPassword: knownPassword.optional(), ...givenFactor })
  .refine(isOneOf, { error: 'needs the password, a code or the answer of a passkey, and one of them alone' });
export type Confirmation = z.output<typeof confirmation>;

export const factors = z.object({
  totp: z.object({ addedAt: time }).nullable().describe('An app for one-time codes; null: none.'),
  passkeys: z.array(passkey).describe('The latest added first.'),
  recoveryCodesLeft: z.number().int(),
});
export type Factors = z.output<typeof factors>;

export const begunTotp = z.object({
  secret: z.string().describe('In base32, shown once.'),
  address: z.string().describe('The same as an `otpauth:` address, for a QR code.'),
});

export const recoveryCodes = z.object({
  recoveryCodes: z
    .array(z.string())
    .describe('Each is good once. Shown once. Empty: those that the account has stay.'),
});
