import { z } from 'zod';
import { time } from './common';

/** Bytes as browsers write them for passkeys. The bounds leave room for the largest keys there are. */
const bytes = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[\w-]+$/);
const credentialId = bytes(1_400);
const transports = z.array(z.string().max(20)).max(10);
/** The name and ids that the browser gives a passkey. Other fields are left out. */
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

export const passkeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(2_000),
    signature: bytes(2_000),
    userHandle: bytes(100).optional(),
  }),
});
/** A passkey's answer to a challenge, as `PublicKeyCredential.toJSON` gives it. */
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

const madePasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(8_000),
    transports: transports.default([]),
  }),
});
/** A passkey that a browser has just made, in the same form. */
export type MadePasskey = z.output<typeof madePasskey>;

export const passkeyAddition = z.strictObject({
  name: z.string().trim().min(1).max(60).describe('By which its owner knows it again.'),
  passkey: madePasskey,
});
export type PasskeyAddition = z.output<typeof passkeyAddition>;

const described = z.object({ id: z.string(), type: z.literal('public-key'), transports });

export const passkeyQuestion = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(described).describe('Empty: any passkey of this shop may answer.'),
});
/** The options of `navigator.credentials.get`, for a passkey that is there. */
export type PasskeyQuestion = z.output<typeof passkeyQuestion>;

export const passkeyWish = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number().int(), type: z.literal('public-key') })),
  timeout: z.number().int(),
  attestation: z.literal('none'),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  excludeCredentials: z.array(described).describe('Those that the account has.'),
});
/** The options of `navigator.credentials.create`, for a new passkey. */
export type PasskeyWish = z.output<typeof passkeyWish>;

export const passkey = z
  .object({
    passkeyId: z.string(),
    name: z.string(),
    addedAt: time,
    lastUsedAt: time.nullable().describe('Null: never since it was added.'),
  })
  .meta({ id: 'Passkey' });
/** A passkey as its owner sees it. */
export type PasskeyView = z.output<typeof passkey>;
