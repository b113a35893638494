import { z } from 'zod';
import { ROLES, STAFF_ROLES } from '@/lib/contract/words/roles';
import { MAX_LEVEL } from '../words/level';
import { emailAddress } from './account';
import { LATEST_MS, reason, time } from './common';

const role = z.enum(ROLES);

export const user = z
  .object({
    userId: z.string(),
    email: z.string(),
    name: z.string(),
    role,
    level: z.int().describe('Given by staff.'),
    levelUntil: time.nullable().describe('When the given level ends; null: it does not.'),
    earnedLevel: z.int().describe('By points. The higher of both counts.'),
    hasSecondFactor: z.boolean(),
    createdAt: time,
    emailVerifiedAt: time.nullable(),
    bannedAt: time.nullable(),
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
  /** The level that sales may require. */
  level: z.number().int().min(0).max(MAX_LEVEL).optional(),
  levelUntil: time
    .min(0)
    .max(LATEST_MS)
    .nullable()
    .describe('When the level ends; null: it does not.')
    .optional(),
  before: z
    .strictObject({ role, level: z.number().int(), levelUntil: time.nullable().optional() })
    .describe('As last seen; if it is otherwise by now, nothing is changed.'),
});
export type UserEdit = z.output<typeof userEdit>;

export const ban = z.strictObject({ reason });

export const staffInvitation = z.strictObject({ email: emailAddress, role: z.enum(STAFF_ROLES) });
export const invitationLink = z.object({
  url: z.string().describe('To be handed to the one invited and to nobody else.'),
  expiresAt: time,
});
