import { z } from 'zod';
import { type Area, operation } from '../operation';
import { accountDeletion, emailChangeWish, ownData, passwordChange, session } from '../shapes/account';
import { page } from '../shapes/common';
import { notificationPage, readNotices, unread } from '../shapes/notice';
import { pointsPage } from '../shapes/points';
import { preferences, preferencesChange } from '../shapes/preferences';
import { pushEnd, pushState, pushSubscription } from '../shapes/push';
import { joinSignIn, listSignIns, removeSignIn } from './joined-sign-ins';

const ended = z.object({ ended: z.literal(true) });

export const changePassword = operation({
  id: 'changePassword',
  method: 'POST',
  path: '/api/account/password',
  who: 'user',
  says: 'Gives the own account another password. Its other sessions end, and the entry tokens they got.',
  body: passwordChange,
  answers: { 200: z.object({ changed: z.literal(true) }) },
  errors: ['PASSWORD_WRONG', 'PASSWORD_GUESSABLE', 'DEMO_ACCOUNT', 'RATE_LIMITED', 'UNAVAILABLE'],
});

export const askEmailChange = operation({
  id: 'askEmailChange',
  method: 'POST',
  path: '/api/account/email',
  who: 'user',
  says: 'Asks for another address of the own account. A mail with a link goes to the new address and changes nothing before it is confirmed; the old address gets a link that stops it. The answer is the same where another account has the address.',
  body: emailChangeWish,
  answers: { 202: z.object({ taken: z.literal(true) }) },
  errors: ['PASSWORD_WRONG', 'EMAIL_UNCHANGED', 'DEMO_ACCOUNT', 'RATE_LIMITED', 'UNAVAILABLE'],
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

export const exportOwnData = operation({
  id: 'exportOwnData',
  method: 'POST',
  path: '/api/account/export',
  who: 'user',
  says: 'All that is kept about the own account, as a file; a few times a day.',
  answers: { 200: ownData },
  errors: ['RATE_LIMITED'],
});

export const deleteAccount = operation({
  id: 'deleteAccount',
  method: 'POST',
  path: '/api/account/delete',
  who: 'user',
  says: 'Deletes the own account, by its password, for good. Its sessions end, and the entry tokens they got; orders stay under its id without a name. Not while orders wait for payment, or sales, products or campaigns belong to it.',
  body: accountDeletion,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: [
    'PASSWORD_WRONG',
    'ACCOUNT_HAS_OPEN_ORDERS',
    'ACCOUNT_OWNS_SALES',
    'LAST_OWNER',
    'LAST_ADMIN',
    'DEMO_ACCOUNT',
    'RATE_LIMITED',
    'UNAVAILABLE',
  ],
});

export const readPreferences = operation({
  id: 'readPreferences',
  method: 'GET',
  path: '/api/account/preferences',
  who: 'user',
  says: 'How the owner of the account wants to be told.',
  answers: { 200: preferences },
});

export const changePreferences = operation({
  id: 'changePreferences',
  method: 'PATCH',
  path: '/api/account/preferences',
  who: 'user',
  says: 'Changes what is named, and leaves the rest.',
  body: preferencesChange,
  answers: { 200: preferences },
});

export const readPush = operation({
  id: 'readPush',
  method: 'GET',
  path: '/api/account/push',
  who: 'user',
  says: 'What a browser needs to take notices by push.',
  answers: { 200: pushState },
});

export const addPush = operation({
  id: 'addPush',
  method: 'POST',
  path: '/api/account/push',
  who: 'user',
  says: 'Lets this browser take the notices of the account by push, as long as the session lasts in which it asks. Ten browsers at most: the oldest makes room.',
  body: pushSubscription,
  answers: { 200: z.object({ on: z.literal(true) }) },
  errors: ['PUSH_OFF', 'PUSH_UNUSABLE'],
});

export const removePush = operation({
  id: 'removePush',
  method: 'POST',
  path: '/api/account/push/remove',
  who: 'user',
  says: 'Sends this browser no notices any more. The same where it took none.',
  body: pushEnd,
  answers: { 200: z.object({ on: z.literal(false) }) },
});

export const readPoints = operation({
  id: 'readPoints',
  method: 'GET',
  path: '/api/points',
  who: 'user',
  says: 'The balance, and what led to it, newest first.',
  query: page,
  answers: { 200: pointsPage },
});

export const listNotifications = operation({
  id: 'listNotifications',
  method: 'GET',
  path: '/api/notifications',
  who: 'user',
  says: 'What the shopper was told, newest first.',
  query: page,
  answers: { 200: notificationPage },
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
  body: readNotices,
  isBodyOptional: true,
  answers: { 200: z.object({ unread }) },
});

export const account: Area = {
  name: 'Account',
  says: 'The own account: password, address, sessions, points and notices.',
  operations: [
    changePassword,
    askEmailChange,
    listSessions,
    endSession,
    signOutEverywhere,
    listSignIns,
    joinSignIn,
    removeSignIn,
    readPreferences,
    changePreferences,
    readPush,
    addPush,
    removePush,
    exportOwnData,
    deleteAccount,
    readPoints,
    listNotifications,
    countUnread,
    markRead,
  ],
};
