import { z } from 'zod';
import { ROLES, STAFF_ROLES } from '@/lib/contract/words/roles';
import { MAX_LEVEL } from '../words/level';
import { emailAddress } from './account';
import { reason, time } from './common';
import { mailRefusedAt } from './mail';

const role = z.enum(ROLES);

export const user = z
  .object({
    userId: z.string(),
    email: z.string(),
    name: z.string(),
    role,
    level: z.int().describe('Given by staff.'),
    currentLevel: z.int().describe('The level that counts now: the highest of that and what was earned.'),
    createdAt: time,
    emailVerifiedAt: time.nullable(),
    mailRefusedAt,
    bannedAt: time.nullable(),
    secondFactorAt: time.nullable().describe('Since when signing in takes a second factor.'),
    deletedAt: time.nullable().describe('When its owner deleted it: it can no longer be changed.'),
  })
  .meta({ id: 'User' });

/** An account as the admin area shows it. */
export type UserView = z.output<typeof user>;

export const userFilter = z.object({
  search: z.string().trim().max(254).describe('How the e-mail address begins, or the whole id.').optional(),
  role: role.optional(),
  state: z.enum(['all', 'banned']).default('all'),
});
export type UserFilter = z.input<typeof userFilter>;

export const userEdit = z.strictObject({
  role: role.optional(),
  level: z.int().min(0).max(MAX_LEVEL).optional().describe('Given by staff.'),
  before: z
    .strictObject({ role, level: z.number().int() })
    .describe('As last seen; if it is otherwise by now, nothing is changed.'),
});
export type UserEdit = z.output<typeof userEdit>;

export const ban = z.strictObject({ reason });

export const staffInvitation = z.strictObject({ email: emailAddress, role: z.enum(STAFF_ROLES) });
export const invitationLink = z.object({
  url: z.string().describe('To be handed to the one invited and to nobody else.'),
  expiresAt: time,
});
