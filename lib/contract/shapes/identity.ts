import { z } from 'zod';
import { language } from './account';
import { time } from './common';
import { ownerProof } from './factor';

export const identities = z.object({
  hasPassword: z.boolean().describe('False: nothing that asks for the password can be done yet.'),
  identities: z.array(
    z.object({ identityId: z.string(), name: z.string().describe('Of the sign-in server.'), addedAt: time }),
  ),
  offered: z.string().nullable().describe('The name of a sign-in server that can be joined; null: none.'),
});
/** The sign-in servers that open an account. */
export type Identities = z.output<typeof identities>;

export const identityJoining = ownerProof.safeExtend({
  locale: language.optional().describe('Of the page to come back to.'),
});
export type IdentityJoining = z.output<typeof identityJoining>;

export const begunJoining = z.object({
  url: z.string().describe('Where the browser goes now. It comes back to `/account`.'),
});
