import { z } from 'zod';
import { type Identity, OpenIdError } from './types';

const MAX_NAME_LENGTH = 100;
const MAX_EMAIL_LENGTH = 254;

const person = z.object({
  email: z.string().optional().catch(undefined),
  // Some servers send it as text.
  email_verified: z
    .union([z.boolean(), z.literal('true'), z.literal('false')])
    .optional()
    .catch(undefined),
  name: z.string().optional().catch(undefined),
});

/** Tells whether claims say all that an account needs. */
export const isComplete = (claims: unknown): boolean => person.safeParse(claims).data?.email !== undefined;

/**
 * Makes an identity of a server's claims about a person.
 * @param claims of the ID token, or of its userinfo about the same subject
 */
export function readIdentity(issuer: string, subject: string, claims: unknown): Identity {
  const read = person.safeParse(claims);
  if (!read.success) throw new OpenIdError('failed', 'claims that are no object');
  const { email, email_verified, name } = read.data;
  const address = email?.trim().toLowerCase() ?? '';
  const isAddress = address.length <= MAX_EMAIL_LENGTH && z.email().safeParse(address).success;
  const shown = name
    ?.replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .trim();
  return {
    issuer,
    subject,
    email: isAddress ? address : null,
    isEmailVerified: isAddress && (email_verified === true || email_verified === 'true'),
    name: shown?.toWellFormed() || null,
  };
}
