import { z } from 'zod';
import { type Area, operation } from '../operation';
import {
  demo,
  emailChangeLink,
  emailVerification,
  invitation,
  invitationAcceptance,
  invitationLook,
  passwordForgotten,
  passwordReset,
  registration,
  stopMailsLink,
  visit,
} from '../shapes/account';
import { mailTopic } from '../shapes/preferences';
import { readSignInWays } from './joined-sign-ins';

export const register = operation({
  id: 'register',
  method: 'POST',
  path: '/api/register',
  who: 'nothing',
  says: 'Creates an account and sends a mail to verify its address.',
  body: registration,
  answers: { 201: z.object({ userId: z.string() }) },
  errors: ['EMAIL_TAKEN', 'PASSWORD_GUESSABLE', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const readDemo = operation({
  id: 'readDemo',
  method: 'GET',
  path: '/api/demo',
  who: 'nothing',
  says: 'The accounts of a demo, for its sign-in page; `demo: false` everywhere else.',
  answers: { 200: demo },
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
  body: emailVerification,
  answers: { 200: z.object({ verified: z.literal(true) }) },
  errors: ['VERIFICATION_INVALID', 'INBOX_TAKEN', 'RATE_LIMITED'],
});

export const confirmEmailChange = operation({
  id: 'confirmEmailChange',
  method: 'POST',
  path: '/api/email/confirm',
  who: 'nothing',
  says: 'Redeems the token of the link in the mail to the new address, once, within half an hour: the account has that address from now on, verified. Its sessions end, except the one that asked.',
  body: emailChangeLink,
  answers: { 200: z.object({ email: z.string() }) },
  errors: ['EMAIL_CHANGE_INVALID', 'EMAIL_TAKEN', 'RATE_LIMITED'],
});

export const stopEmailChange = operation({
  id: 'stopEmailChange',
  method: 'POST',
  path: '/api/email/stop',
  who: 'nothing',
  says: 'Redeems the token of the link in the mail to the old address: stops the change of address, or undoes it for seven days. All sessions end, the password is void, and a mail to choose another one is sent.',
  body: emailChangeLink,
  answers: { 200: z.object({ email: z.string() }) },
  errors: ['EMAIL_CHANGE_INVALID', 'RATE_LIMITED'],
});

export const openStopMails = operation({
  id: 'openStopMails',
  method: 'GET',
  path: '/api/email/stop-mails',
  who: 'nothing',
  says: 'Leads whoever opens the address of `List-Unsubscribe` by hand to the page with a button. Changes nothing.',
  query: stopMailsLink,
  answers: { 303: { mediaType: 'text/plain', says: 'The page, in `Location`.' } },
});

export const stopMails = operation({
  id: 'stopMails',
  method: 'POST',
  path: '/api/email/stop-mails',
  who: 'nothing',
  says: 'Stops the mails of a topic for the reader of a mail, by the token of its link; twice is once. Mail programs post here by themselves (`List-Unsubscribe-Post`, RFC 8058), so a body may be there and says nothing.',
  query: stopMailsLink,
  answers: { 200: z.object({ stopped: mailTopic }) },
  errors: ['STOP_LINK_INVALID'],
});

export const askPasswordReset = operation({
  id: 'askPasswordReset',
  method: 'POST',
  path: '/api/password/forgot',
  who: 'nothing',
  says: 'Sends a mail with which the account of an address gets another password. The answer is the same where there is no such account.',
  body: passwordForgotten,
  answers: { 202: z.object({ taken: z.literal(true) }) },
  errors: ['RATE_LIMITED'],
});

export const resetPassword = operation({
  id: 'resetPassword',
  method: 'POST',
  path: '/api/password/reset',
  who: 'nothing',
  says: 'Redeems the token of the link in that mail, once, within half an hour. All sessions of the account end, and the entry tokens they got.',
  body: passwordReset,
  answers: { 200: z.object({ email: z.string() }) },
  errors: ['RESET_INVALID', 'PASSWORD_GUESSABLE', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const lookAtInvitation = operation({
  id: 'lookAtInvitation',
  method: 'POST',
  path: '/api/invitations/look',
  who: 'nothing',
  says: 'What the link of an invitation invites to. Its token is what stands behind the #.',
  body: invitationLook,
  answers: { 200: invitation },
  errors: ['INVITATION_INVALID', 'RATE_LIMITED'],
});

export const acceptInvitation = operation({
  id: 'acceptInvitation',
  method: 'POST',
  path: '/api/invitations/accept',
  who: 'nothing',
  says: 'Accepts an invitation, once: makes the account, or gives the one there is its new role if its password is right.',
  body: invitationAcceptance,
  answers: { 200: z.object({ email: z.string() }) },
  errors: ['INVITATION_INVALID', 'PASSWORD_GUESSABLE', 'CREDENTIALS_WRONG', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const readVisit = operation({
  id: 'readVisit',
  method: 'GET',
  path: '/api/visit',
  who: 'nothing',
  says: 'All that a page asks about its visitor at once: who is signed in, the count of the bell, and the own reservation in the sale of the page.',
  query: z.object({ slug: z.string().max(200).optional().describe('Of the sale that the page shows.') }),
  answers: { 200: visit },
});

export const signIn: Area = {
  name: 'Sign-in',
  says: 'Registration, sign-in, forgotten passwords, invitations. Signing in and out is next-auth at `/api/auth`: `GET csrf`, then `POST callback/credentials` with `csrfToken`, `email`, `password` and `json=true`; 401 `CREDENTIALS_WRONG`, 429 `RATE_LIMITED` with growing waits. An account with a second factor gets 401 `SECOND_FACTOR_NEEDED` and a cookie for five minutes: then `POST callback/second-step` with `code`, or with the answer `passkey` to the question of `POST passkey/second-step`. A passkey signs in alone: `POST passkey/sign-in` asks, and `POST callback/passkey` takes the answer `passkey`. Where an OpenID Connect server is set, a browser goes to `GET signin/openid` and comes back, signed in, to the page that `callbackUrl` names. `GET session` tells who is signed in, `POST signout` ends the session.',
  operations: [
    register,
    readDemo,
    readSignInWays,
    sendVerification,
    verifyEmail,
    confirmEmailChange,
    stopEmailChange,
    openStopMails,
    stopMails,
    askPasswordReset,
    resetPassword,
    lookAtInvitation,
    acceptInvitation,
    readVisit,
  ],
};
