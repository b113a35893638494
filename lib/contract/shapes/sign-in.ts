import { z } from 'zod';
import { knownPassword, language } from './account';
import { time } from './common';

export const signInWays = z.object({
  openId: z
    .object({ name: z.string() })
    .nullable()
    .describe('A server that signs people in by OpenID Connect; null: none.'),
});

export const signIns = z.object({
  hasPassword: z.boolean(),
  others: z.array(
    z.object({
      identityId: z.string(),
      name: z.string().describe('Of the server that signs in.'),
      isOffered: z.boolean().describe('False: the shop does not use this server any more.'),
      addedAt: time,
    }),
  ),
  offered: z.string().nullable().describe('The name of a server that can be joined; null: none.'),
});
/** The ways in which an account can be signed in to. */
export type SignIns = z.output<typeof signIns>;

export const signInJoining = z.strictObject({
  currentPassword: knownPassword,
  locale: language.optional().describe('Of the page to come back to.'),
});
export const begunJoining = z.object({
  address: z.string().describe('Where the browser goes now. It comes back to the page of the own account.'),
});
export const signInRemoval = z.strictObject({ currentPassword: knownPassword });
