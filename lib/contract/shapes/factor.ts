import { z } from 'zod';
import { knownPassword } from './account';
import { time } from './common';
import { passkey, passkeyAnswer } from './passkey';

const code = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('A one-time code of six digits, or a recovery code. Spaces, hyphens and capitals do not matter.');
const factor = {
  code: code.optional(),
  passkey: passkeyAnswer.optional().describe('Instead of a code: the answer to `askPasskey`.'),
};
type Given = { code?: unknown; passkey?: unknown };
const countOf = ({ code: typed, passkey: answer }: Given) =>
  Number(typed !== undefined) + Number(answer !== undefined);

/** A code of an app that is being set up. */
export const totpConfirmation = z.strictObject({ code });

/** Shows a second factor of the account. */
export const factorProof = z
  .strictObject(factor)
  .refine((given) => countOf(given) === 1, { error: 'needs a code or a passkey, and not both' });
export type FactorProof = z.output<typeof factorProof>;

/** Shows that the account's owner asks. */
export const ownerProof = z
  .strictObject({ currentPassword: knownPassword, ...factor })
  .refine((given) => countOf(given) <= 1, { error: 'takes a code or a passkey, and not both' })
  .describe('Where the account has a second factor, it is needed beside the password.');
export type OwnerProof = z.output<typeof ownerProof>;

/** Shows once more who asks. */
export const confirmation = z
  .strictObject({ currentPassword: knownPassword.optional(), ...factor })
  .refine((given) => countOf(given) + Number(given.currentPassword !== undefined) === 1, {
    error: 'needs a code, a passkey or the password, and one of them alone',
  });
export type Confirmation = z.output<typeof confirmation>;

export const factors = z.object({
  totp: z.object({ addedAt: time }).nullable().describe('An app for one-time codes; null: none.'),
  passkeys: z.array(passkey).describe('The latest added first.'),
  recoveryCodesLeft: z.number().int(),
  mustConfirm: z.boolean().describe('What is dangerous would be refused with 403 CONFIRM_AGAIN now.'),
});
export type Factors = z.output<typeof factors>;

export const begunTotp = z.object({
  secret: z.string().describe('In base32, shown once.'),
  address: z.string().describe('The same as an `otpauth:` address, for a QR code.'),
});

export const recoveryCodes = z.object({
  recoveryCodes: z
    .array(z.string())
    .describe('Each is good once. Shown once. Empty: the account keeps those it has.'),
});
