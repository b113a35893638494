import { z } from 'zod';
import { acceptSchema, lookSchema } from '@/lib/access/accept-invitation';
import { changePasswordSchema } from '@/lib/access/change-password';
import { registerSchema } from '@/lib/account/register';
import { STAFF_ROLES } from '@/lib/account/roles';
import type { SessionView } from '@/lib/account/sessions/list-sessions';
import { verifyEmailSchema } from '@/lib/account/verify-email';
import { markReadSchema } from '@/lib/notify/mark-read';
import { NOTICE_KINDS, type NotificationView } from '@/lib/notify/types';
import type { PointsEntryView } from '@/lib/points/read-points';
import { type Area, operation } from '../operation';
import { count, currency, money, page, pageOf, time } from '../shapes/common';

const notification = z
  .object({
    ...{ id: z.string(), kind: z.enum(NOTICE_KINDS), orderNo: z.string(), saleTitle: z.string() },
    ...{ amountMinor: money, currency, payBy: time, createdAt: time, readAt: time.nullable() },
  })
  .meta({ id: 'Notification' }) satisfies z.ZodType<NotificationView>;

const pointsEntry = z.object({
  orderNo: z.string(),
  kind: z.enum(['earned', 'taken_back']),
  points: z.int(),
  createdAt: time,
}) satisfies z.ZodType<PointsEntryView>;

const session = z
  .object({
    ...{ sessionId: z.string(), browser: z.string(), createdAt: time, lastSeenAt: time, expiresAt: time },
    isCurrent: z.boolean().describe('The one that asks.'),
  })
  .meta({ id: 'Session' }) satisfies z.ZodType<SessionView>;

const ended = z.object({ ended: z.literal(true) });

const unread = count.describe('At most 100.');

export const register = operation({
  id: 'register',
  method: 'POST',
  path: '/api/register',
  who: 'nothing',
  says: 'Creates an account and sends a mail to verify its address.',
  body: registerSchema,
  answers: { 201: z.object({ userId: z.string() }) },
  errors: ['EMAIL_TAKEN', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const sendVerification = operation({
  id: 'sendVerification',
  method: 'POST',
  path: '/api/email/send',
  who: 'user',
  says: 'Sends that mail again; 200 if the address is verified already.',
  answers: {
    202: z.object({ verified: z.literal(false) }),
    200: z.object({ verified: z.literal(true) }),
  },
  errors: ['RATE_LIMITED'],
});

export const verifyEmail = operation({
  id: 'verifyEmail',
  method: 'POST',
  path: '/api/email/verify',
  who: 'nothing',
  says: 'Redeems the token of the link in the mail; it alone says whose address it is.',
  body: verifyEmailSchema,
  answers: { 200: z.object({ verified: z.literal(true) }) },
  errors: ['VERIFICATION_INVALID', 'INBOX_TAKEN', 'RATE_LIMITED'],
});

export const changePassword = operation({
  id: 'changePassword',
  method: 'POST',
  path: '/api/account/password',
  who: 'user',
  says: 'Gives the own account another password. Its other sessions end, and the entry tokens they got.',
  body: changePasswordSchema,
  answers: { 200: z.object({ changed: z.literal(true) }) },
  errors: ['PASSWORD_WRONG', 'DEMO_ACCOUNT', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const listSessions = operation({
  id: 'listSessions',
  method: 'GET',
  path: '/api/account/sessions',
  who: 'user',
  says: 'Where the own account is signed in, the latest used first.',
  answers: { 200: z.object({ sessions: z.array(session) }) },
});

export const endSession = operation({
  id: 'endSession',
  method: 'POST',
  path: '/api/account/sessions/{sessionId}/end',
  who: 'user',
  says: 'Ends one of the own sessions, and the entry tokens it got.',
  answers: { 200: ended },
  errors: ['SESSION_NOT_FOUND'],
});

export const signOutEverywhere = operation({
  id: 'signOutEverywhere',
  method: 'POST',
  path: '/api/account/sessions/end',
  who: 'user',
  says: 'Ends every session of the own account, this one too.',
  answers: { 200: ended },
});

export const lookAtInvitation = operation({
  id: 'lookAtInvitation',
  method: 'POST',
  path: '/api/invitations/look',
  who: 'nothing',
  says: 'What the link of an invitation invites to. Its token is what stands behind the #.',
  body: lookSchema,
  answers: {
    200: z.object({
      ...{ email: z.string(), role: z.enum(STAFF_ROLES), expiresAt: time },
      hasAccount: z.boolean().describe('Then its password is asked for; else one is made.'),
    }),
  },
  errors: ['INVITATION_INVALID', 'RATE_LIMITED'],
});

export const acceptInvitation = operation({
  id: 'acceptInvitation',
  method: 'POST',
  path: '/api/invitations/accept',
  who: 'nothing',
  says: 'Accepts an invitation, once: makes the account, or gives the one there is its new role if its password is right.',
  body: acceptSchema,
  answers: { 200: z.object({ email: z.string() }) },
  errors: ['INVITATION_INVALID', 'CREDENTIALS_WRONG', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const readPoints = operation({
  id: 'readPoints',
  method: 'GET',
  path: '/api/points',
  who: 'user',
  says: 'The balance, and what led to it, newest first.',
  query: page,
  answers: { 200: pageOf('entries', pointsEntry).extend({ balance: z.int() }) },
});

export const listNotifications = operation({
  id: 'listNotifications',
  method: 'GET',
  path: '/api/notifications',
  who: 'user',
  says: 'What the shopper was told, newest first.',
  query: page,
  answers: { 200: pageOf('notifications', notification).extend({ unread }) },
});

export const countUnread = operation({
  id: 'countUnread',
  method: 'GET',
  path: '/api/notifications/unread',
  who: 'user',
  says: 'What the bell shows.',
  answers: { 200: z.object({ unread }) },
});

export const markRead = operation({
  id: 'markRead',
  method: 'POST',
  path: '/api/notifications/read',
  who: 'user',
  says: 'Marks those named as read, or all.',
  body: markReadSchema,
  isBodyOptional: true,
  answers: { 200: z.object({ unread }) },
});

export const account: Area = {
  name: 'Account',
  says: 'Registration, sign-in, sessions, points and notices. Signing in and out is next-auth at `/api/auth`: `GET csrf`, then `POST callback/credentials` with `csrfToken`, `email`, `password` and `json=true`; 401 `CREDENTIALS_WRONG`, 429 `RATE_LIMITED` with growing waits. `GET session` tells who is signed in, `POST signout` ends the session.',
  operations: [
    register,
    sendVerification,
    verifyEmail,
    changePassword,
    listSessions,
    endSession,
    signOutEverywhere,
    lookAtInvitation,
    acceptInvitation,
    readPoints,
    listNotifications,
    countUnread,
    markRead,
  ],
};
