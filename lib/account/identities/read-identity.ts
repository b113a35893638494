import { z } from 'zod';
import { emailAddress } from '@/lib/contract/shapes/account';

/** A person for whom the shop's sign-in server vouches. */
export type Identity = {
  issuer: string;
  /** The server's own id of the person; it never names another one. */
  subject: string;
  /** An address that the server says is verified; null: none. */
  email: string | null;
  name: string | null;
};

const claimsSchema = z.object({
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  email: emailAddress.nullable().catch(null),
  // Some servers send it as text.
  email_verified: z
    .union([z.literal(true), z.literal('true')])
    .optional()
    .catch(undefined),
  name: z
    .string()
    .transform((name) =>
      name
        .replaceAll(/[\p{C}\s]+/gu, ' ')
        .trim()
        .slice(0, 100)
        .trim()
        .toWellFormed(),
    )
    .catch(''),
});

/** Reads checked claims of a server as an identity; null: they name no person. */
export function readIdentity(issuer: string, claims: unknown): Identity | null {
  const read = claimsSchema.safeParse(claims);
  if (!read.success) return null;
  const { sub, email, email_verified, name } = read.data;
  return { issuer, subject: sub, email: email_verified ? email : null, name: name || null };
}
