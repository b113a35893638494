import { z } from 'zod';
import { factorCode, knownPassword } from './account';
import { time } from './common';

export const totpBeginning = z.strictObject({ currentPassword: knownPassword });
/** Shows a factor that the account has, or is about to have. */
export const factorProof = z.strictObject({ code: factorCode });
export const factorRemoval = factorProof.extend({ currentPassword: knownPassword });
export type FactorRemoval = z.output<typeof factorRemoval>;

export const factors = z.object({
  totp: z.object({ addedAt: time }).nullable().describe('An app for one-time codes; null: none.'),
  recoveryCodesLeft: z.number().int(),
});
export type Factors = z.output<typeof factors>;

export const begunTotp = z.object({
  secret: z.string().describe('In base32, shown once.'),
  address: z.string().describe('The same as an `otpauth:` address, for a QR code.'),
});

export const recoveryCodes = z.object({
  recoveryCodes: z.array(z.string()).describe('Each is good once. Shown once.'),
});
