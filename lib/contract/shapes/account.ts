import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { isDeletedEmail } from '@/lib/contract/words/deleted-email';
import { ROLES, STAFF_ROLES } from '@/lib/contract/words/roles';
import { SHOP_ROLES } from '@/lib/contract/words/shop';
import { isTimeZone } from '@/lib/contract/words/time-zone';
import { time } from './common';
import { unread } from './notice';

export const MAX_PASSWORD_LENGTH = 200;

/** An e-mail address as accounts store it: lower case, trimmed, 254 characters at most. */
export const emailAddress = z
  .string()
  .trim()
  .max(254)
  .toLowerCase()
  .pipe(z.email().refine((email) => !isDeletedEmail(email)));
/** A new password, as NIST SP 800-63B says: long enough, and not easy to guess, which the operation judges. */
export const newPassword = z.string().min(8, 'needs at least 8 characters').max(MAX_PASSWORD_LENGTH);
/** An existing password that a user enters, whatever rules it was made under. */
export const knownPassword = z.string().max(MAX_PASSWORD_LENGTH);
const name = z.string().trim().min(1).max(100);
/** The language of the page on which a user registers. */
export const language = z.enum(routing.locales);

export const languageChoice = z.strictObject({ language });

export const timeZone = z.string().max(64).refine(isTimeZone, 'is not a time zone of the IANA database');
export const timeZoneChoice = z.strictObject({
  timeZone: timeZone.nullable().describe('As the IANA database names it. Null: UTC.'),
});

export const registration = z.object({
  email: emailAddress,
  password: newPassword,
  name,
  locale: language.default(routing.defaultLocale).describe('The language of the mails.'),
  timeZone: timeZone.optional().catch(undefined).describe('Of the mails. One that is not known is left out.'),
});
export type Registration = z.output<typeof registration>;

export const emailVerification = z.object({ token: z.string().max(300) });

export const passwordChange = z.strictObject({ currentPassword: knownPassword, newPassword });
export type PasswordChange = z.output<typeof passwordChange>;

const saleTitle = z.string().describe('The title of the sale.');
export const deletion = z
  .object({
    unpaidOrders: z
      .array(z.object({ orderNo: z.string(), title: saleTitle, payBy: time }))
      .describe('In the way: pay or cancel them first. At most 50.'),
    liveSales: z
      .array(z.object({ saleId: z.string(), title: saleTitle }))
      .describe('In the way: published sales that are not closed, of shops you lead alone. At most 50.'),
    ledShops: z
      .array(z.object({ shopId: z.string(), name: z.string() }))
      .describe('In the way: shops with other members that you lead alone.'),
    places: z
      .array(
        z.object({
          saleId: z.string(),
          slug: z.string(),
          title: saleTitle,
          kind: z.enum(['waiting_room', 'draw', 'waitlist']),
        }),
      )
      .describe('They are given up. At most 50.'),
    needsCode: z.boolean().describe('Deleting takes a code of the second factor, too.'),
    isLastAdmin: z.boolean().describe('In the way: somebody has to remain admin.'),
    isDemo: z.boolean().describe('In the way: this account is for everybody to try.'),
  })
  .meta({ id: 'Deletion' });
/** The obstacles to deleting an account, and the places that would be given up. */
export type DeletionView = z.output<typeof deletion>;

const linkToken = z.string().describe('What stands behind the # of the link.');

export const emailChangeWish = z.strictObject({ currentPassword: knownPassword, newEmail: emailAddress });
export type EmailChangeWish = z.output<typeof emailChangeWish>;
export const emailChangeLink = z.strictObject({ token: linkToken });

export const passwordForgotten = z.strictObject({ email: emailAddress });
export const passwordReset = z.strictObject({ token: linkToken, newPassword });
export type PasswordReset = z.output<typeof passwordReset>;

const invitationToken = z.string().max(100);
export const invitationLook = z.strictObject({ token: invitationToken });
export const invitation = z.object({
  email: z.string(),
  role: z.enum(STAFF_ROLES),
  expiresAt: time,
  hasAccount: z
    .boolean()
    .describe('Then that account is changed and its password is asked for; else one is made.'),
  shop: z
    .object({ name: z.string(), role: z.enum(SHOP_ROLES) })
    .nullable()
    .describe('The shop into which it leads; null: into the admin area alone.'),
});
export type Invitation = z.output<typeof invitation>;

export const invitationAcceptance = z.strictObject({
  token: invitationToken,
  password: knownPassword.describe('Of the account there is, or for the new one.'),
  name: name.optional().describe('For a new account.'),
  locale: language.optional(),
});
export type InvitationAcceptance = z.output<typeof invitationAcceptance>;

const signedIn = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role: z.enum(ROLES),
  level: z.number().int(),
  needsFactor: z
    .literal(true)
    .optional()
    .describe('Staff without the second factor that this shop requires: the admin area is closed to them.'),
});

/** The signed-in user, as `GET /api/auth/session` returns them. */
export type SessionUser = z.output<typeof signedIn>;

export const visit = z.object({
  user: signedIn
    .nullable()
    .describe('Null: nobody is signed in; of the rest only `signInServer` may be told.'),
  signInServer: z
    .string()
    .nullable()
    .describe('The name of the server that signs people in, for who is not. Null: the shop has none.'),
  expiresAt: time.nullable(),
  unread: unread.nullable().describe('Null on the page of a sale, which shows no bell.'),
  reservation: z
    .object({ saleId: z.string(), reservedAt: time.nullable() })
    .nullable()
    .describe('In the sale of `slug`. Null: it takes none, or this server does not know it yet.'),
});
/** The answer to a page's question about its visitor. */
export type Visit = z.output<typeof visit>;

export const demo = z.union([
  z.object({ demo: z.literal(false) }),
  z.object({
    demo: z.literal(true),
    accounts: z.array(z.object({ email: z.string(), name: z.string(), role: z.enum(ROLES) })),
    password: z.string(),
  }),
]);

export const session = z
  .object({
    sessionId: z.string(),
    browser: z.string(),
    createdAt: time,
    lastSeenAt: time.describe('To within minutes, epoch milliseconds.'),
    expiresAt: time,
    isCurrent: z.boolean().describe('The one that asks.'),
  })
  .meta({ id: 'Session' });

/** A session as its owner sees it. */
export type SessionView = z.output<typeof session>;
