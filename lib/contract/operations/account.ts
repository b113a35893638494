import { z } from 'zod';
import { area } from '../operation';
import {
  deletion,
  demo,
  emailChangeLink,
  emailChangeWish,
  emailVerification,
  invitation,
  invitationAcceptance,
  invitationLook,
  languageChoice,
  passwordChange,
  passwordForgotten,
  passwordReset,
  registration,
  session,
  timeZoneChoice,
  visit,
} from '../shapes/account';
import { page } from '../shapes/common';
import { ownerProof } from '../shapes/factor';
import { ownLevel } from '../shapes/level';
import {
  MAX_RETURNED_BYTES,
  mailTopic,
  mutedMails,
  ownMails,
  returnedMail,
  stopMailsLink,
} from '../shapes/mail';
import { notificationPage, readNotices, unread } from '../shapes/notice';
import { pointsPage } from '../shapes/points';

export const account = area(
  'Account',
  'Registration, sign-in, sessions, points and notices. Signing in and out is next-auth at `/api/auth`: `GET csrf`, then `POST callback/credentials` with `csrfToken`, `email`, `password` and `json=true`; 401 `CREDENTIALS_WRONG`, 401 `SECOND_FACTOR_NEEDED` (see there), 429 `RATE_LIMITED` with growing waits. `GET session` tells who is signed in, `POST signout` ends the session.',
);
const { operation } = account;

const ended = z.object({ ended: z.literal(true) });

export const register = operation('POST /api/register', {
  who: 'nothing',
  says: 'Creates an account and sends a mail to verify its address.',
  body: registration,
  answers: { 201: z.object({ userId: z.string() }) },
  errors: ['EMAIL_TAKEN', 'PASSWORD_GUESSABLE', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const readDemo = operation('GET /api/demo', {
  who: 'nothing',
  says: 'The accounts of a demo, for its sign-in page; `demo: false` everywhere else.',
  answers: { 200: demo },
});

export const sendVerification = operation('POST /api/email/send', {
  who: 'user',
  says: 'Sends that mail again; 200 if the address is verified already.',
  answers: {
    202: z.object({ verified: z.literal(false) }),
    200: z.object({ verified: z.literal(true) }),
  },
  errors: ['RATE_LIMITED'],
});

export const verifyEmail = operation('POST /api/email/verify', {
  who: 'nothing',
  says: 'Redeems the token of the link in the mail; it alone says whose address it is.',
  body: emailVerification,
  answers: { 200: z.object({ verified: z.literal(true) }) },
  errors: ['VERIFICATION_INVALID', 'INBOX_TAKEN', 'RATE_LIMITED'],
});

export const changePassword = operation('POST /api/account/password', {
  who: 'user',
  says: 'Gives the own account another password. Its other sessions end, and the entry tokens they got.',
  body: passwordChange,
  answers: { 200: z.object({ changed: z.literal(true) }) },
  errors: [
    'PASSWORD_WRONG',
    'NO_PASSWORD',
    'PASSWORD_GUESSABLE',
    'DEMO_ACCOUNT',
    'RATE_LIMITED',
    'UNAVAILABLE',
  ],
});

export const askEmailChange = operation('POST /api/account/email', {
  who: 'user',
  says: 'Asks for another address of the own account. A mail to the new address has the link that makes the change; one to the old address has a link that stops it. The answer is the same if another account has the address.',
  body: emailChangeWish,
  answers: { 202: z.object({ taken: z.literal(true) }) },
  errors: ['PASSWORD_WRONG', 'NO_PASSWORD', 'EMAIL_UNCHANGED', 'DEMO_ACCOUNT', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const confirmEmailChange = operation('POST /api/email/confirm', {
  who: 'nothing',
  says: 'Redeems the token of the link to the new address, once, within half an hour. All sessions of the account but the one that asked end, and the entry tokens they got.',
  body: emailChangeLink,
  answers: { 200: z.object({ email: z.string() }) },
  errors: ['EMAIL_CHANGE_INVALID', 'EMAIL_TAKEN', 'RATE_LIMITED'],
});

export const stopEmailChange = operation('POST /api/email/stop', {
  who: 'nothing',
  says: 'Redeems the token of the link to the old address, up to seven days after the change: brings that address back, ends all sessions, voids the password and mails a link to choose another one.',
  body: emailChangeLink,
  answers: { 200: z.object({ email: z.string() }) },
  errors: ['EMAIL_CHANGE_INVALID', 'RATE_LIMITED'],
});

export const openStopMails = operation('GET /api/email/stop-mails', {
  who: 'nothing',
  says: 'Leads a person who opens the address of `List-Unsubscribe` to the page with a button. Changes nothing.',
  query: stopMailsLink,
  answers: { 303: { mediaType: 'text/plain', says: 'The page, in `Location`.' } },
});

export const stopMails = operation('POST /api/email/stop-mails', {
  who: 'nothing',
  says: 'Mutes a topic of mails for the reader of a mail, by the token of its link; twice is once. Mail programs post here by themselves (`List-Unsubscribe-Post`, RFC 8058); a body says nothing.',
  query: stopMailsLink,
  answers: { 200: z.object({ stopped: mailTopic }) },
  errors: ['STOP_LINK_INVALID'],
});

export const returnMail = operation('POST /api/email/returned', {
  who: 'nothing',
  says: 'A mail of the shop that came back: a delivery status notification (RFC 3464) or a complaint (RFC 5965), as the mail server got it. Our header in the mail it carries (`X-Recipient-Proof`) proves to whom we had sent it; every other mail is ignored. Twice is once.',
  upload: ['message/rfc822'],
  maxBytes: MAX_RETURNED_BYTES,
  answers: { 200: returnedMail },
});

export const askPasswordReset = operation('POST /api/password/forgot', {
  who: 'nothing',
  says: 'Sends a mail whose link gives the account of an address another password. The answer is the same if there is no such account.',
  body: passwordForgotten,
  answers: { 202: z.object({ taken: z.literal(true) }) },
  errors: ['RATE_LIMITED'],
});

export const resetPassword = operation('POST /api/password/reset', {
  who: 'nothing',
  says: 'Redeems the token of that link, once, within half an hour. All sessions of the account end, and the entry tokens they got.',
  body: passwordReset,
  answers: { 200: z.object({ email: z.string() }) },
  errors: ['RESET_INVALID', 'PASSWORD_GUESSABLE', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const listSessions = operation('GET /api/account/sessions', {
  who: 'user',
  says: 'Where the own account is signed in, the latest used first.',
  answers: { 200: z.object({ sessions: z.array(session) }) },
});

export const endSession = operation('POST /api/account/sessions/{sessionId}/end', {
  who: 'user',
  says: 'Ends one of the own sessions, and the entry tokens it got.',
  answers: { 200: ended },
  errors: ['SESSION_NOT_FOUND'],
});

export const signOutEverywhere = operation('POST /api/account/sessions/end', {
  who: 'user',
  says: 'Ends every session of the own account, this one too.',
  answers: { 200: ended },
});

export const exportOwnData = operation('GET /api/account/export', {
  who: 'user',
  says: 'Everything that is kept under the own account as a file, three times a day at most. An entry in the audit log is made. Not given to pages of other sites.',
  answers: {
    200: {
      mediaType: 'application/zip',
      says: '`about.json` says what each other file holds: `orders.json`, `sessions.json`, `notices.json` and more, each a list of rows.',
    },
  },
  errors: ['CSRF', 'RATE_LIMITED'],
});

export const readDeletion = operation('GET /api/account/deletion', {
  who: 'user',
  says: 'What stands in the way of deleting the own account, and which places it would give up.',
  answers: { 200: deletion },
});

export const deleteAccount = operation('POST /api/account/deletion', {
  who: 'user',
  says: 'Deletes the own account: every session and entry token ends, all places are given up, e-mail, name, password, notices and devices go. Orders, points and logs stay under its id. Late money goes back.',
  body: ownerProof,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: [
    'PASSWORD_WRONG',
    'NO_PASSWORD',
    'FACTOR_CODE_WRONG',
    'PASSKEY_WRONG',
    'ACCOUNT_HAS_UNPAID_ORDERS',
    'ACCOUNT_HAS_LIVE_SALES',
    'LAST_OWNER',
    'LAST_ADMIN',
    'DEMO_ACCOUNT',
    'RATE_LIMITED',
    'UNAVAILABLE',
  ],
});

export const lookAtInvitation = operation('POST /api/invitations/look', {
  who: 'nothing',
  says: 'What the link of an invitation invites to. Its token is what stands behind the #.',
  body: invitationLook,
  answers: { 200: invitation },
  errors: ['INVITATION_INVALID', 'RATE_LIMITED'],
});

export const acceptInvitation = operation('POST /api/invitations/accept', {
  who: 'nothing',
  says: 'Accepts an invitation, once: makes the account, or gives the one there is its new role if its password is right.',
  body: invitationAcceptance,
  answers: { 200: z.object({ email: z.string() }) },
  errors: [
    'INVITATION_INVALID',
    'PASSWORD_GUESSABLE',
    'NO_PASSWORD',
    'CREDENTIALS_WRONG',
    'RATE_LIMITED',
    'UNAVAILABLE',
  ],
});

export const readVisit = operation('GET /api/visit', {
  who: 'nothing',
  says: 'All that a page asks about its visitor at once: who is signed in or where else one can, the count of the bell, and the own reservation in the sale of the page.',
  query: z.object({ slug: z.string().max(200).optional().describe('Of the sale that the page shows.') }),
  answers: { 200: visit },
});

export const readPoints = operation('GET /api/points', {
  who: 'user',
  says: 'The balance, and what led to it, newest first.',
  query: page,
  answers: { 200: pointsPage },
});

export const readOwnLevel = operation('GET /api/account/level', {
  who: 'user',
  says: 'The level that counts now, and what leads to a higher one.',
  answers: { 200: ownLevel },
});

export const chooseLanguage = operation('POST /api/account/language', {
  who: 'user',
  says: 'The language of the mails from now on. Signing in on a page of another language changes it, too.',
  body: languageChoice,
  answers: { 200: languageChoice },
});

export const readTimeZone = operation('GET /api/account/time-zone', {
  who: 'user',
  says: 'The time zone of the mails.',
  answers: { 200: timeZoneChoice },
});

export const chooseTimeZone = operation('POST /api/account/time-zone', {
  who: 'user',
  says: 'The time zone of the mails from now on.',
  body: timeZoneChoice,
  answers: { 200: timeZoneChoice },
});

export const readMutedMails = operation('GET /api/account/mails', {
  who: 'user',
  says: 'Which mails the account does not want. What becomes of orders and money is always mailed.',
  answers: { 200: ownMails },
});

export const muteMails = operation('POST /api/account/mails', {
  who: 'user',
  says: 'Sets which mails the account does not want from now on.',
  body: mutedMails,
  answers: { 200: ownMails },
});

export const listNotifications = operation('GET /api/notifications', {
  who: 'user',
  says: 'What the shopper was told, newest first.',
  query: page,
  answers: { 200: notificationPage },
});

export const countUnread = operation('GET /api/notifications/unread', {
  who: 'user',
  says: 'What the bell shows.',
  answers: { 200: z.object({ unread }) },
});

export const markRead = operation('POST /api/notifications/read', {
  who: 'user',
  says: 'Marks those named as read, or all.',
  body: readNotices,
  isBodyOptional: true,
  answers: { 200: z.object({ unread }) },
});
