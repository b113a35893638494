import { area, type Operation } from '../operation';
import { page, pageOf } from '../shapes/common';
import { ban, invitationLink, staffInvitation, user, userEdit, userFilter } from '../shapes/user';

export const adminUsers = area('Admin: accounts', 'For admins.');
const { operation } = adminUsers;

const common = { who: 'manageUsers', answers: { 200: user } } satisfies Partial<Operation>;

export const listUsers = operation('GET /api/admin/users', {
  who: 'manageUsers',
  says: 'Accounts, newest first; `search` is how the e-mail address begins, or the id.',
  query: page.extend(userFilter.shape),
  side: { feature: 'search', fields: ['search'] },
  answers: { 200: pageOf('users', user) },
});

export const inviteStaff = operation('POST /api/admin/invitations', {
  who: 'manageUsers',
  asksAgain: true,
  says: 'A link by which somebody joins the admin area, good once within 72 hours. An earlier one for the address is good no more.',
  body: staffInvitation,
  answers: { 201: invitationLink },
  errors: ['ALREADY_STAFF', 'ACCOUNT_BANNED', 'DEMO_ACCOUNT'],
});

export const editUser = operation('PATCH /api/admin/users/{userId}', {
  ...common,
  asksAgain: true,
  says: 'Another role or level, based on `before`, both as last seen. A new role signs the account out.',
  body: userEdit,
  errors: ['USER_NOT_FOUND', 'VERSION_CONFLICT', 'OWN_ACCOUNT', 'LAST_ADMIN'],
});

export const banUser = operation('POST /api/admin/users/{userId}/ban', {
  ...common,
  asksAgain: true,
  says: 'Signs the account out, lets it in no more, and blocks what it could still buy; again changes nothing.',
  body: ban,
  errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'LAST_ADMIN'],
});

export const unbanUser = operation('POST /api/admin/users/{userId}/unban', {
  ...common,
  asksAgain: true,
  says: 'Lets it in again and ends its block; again changes nothing.',
  errors: ['USER_NOT_FOUND'],
});

export const revokeSessions = operation('POST /api/admin/users/{userId}/revoke-sessions', {
  ...common,
  who: 'helpPeople',
  asksAgain: true,
  says: 'Signs the account out everywhere, at once. Support may do so for shoppers alone: the account of staff is refused with FORBIDDEN.',
  errors: ['USER_NOT_FOUND'],
});

export const removeFactors = operation('POST /api/admin/users/{userId}/remove-factors', {
  ...common,
  asksAgain: true,
  says: 'Removes the second factor that its owner has lost, signs the account out everywhere and tells the owner by mail; again changes nothing.',
  errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT'],
});
