import { z } from 'zod';
import { SHOP_ROLES, SHOP_TOPICS } from '@/lib/contract/words/shop';
import { emailAddress } from './account';
import { time } from './common';
import { shippingRules } from './shipping';

const shopRole = z.enum(SHOP_ROLES);
const topics = z
  .array(z.enum(SHOP_TOPICS))
  .max(SHOP_TOPICS.length)
  .describe('What an editor may do. It means nothing for owners and viewers.');

const standing = z.object({ role: shopRole, topics }).meta({ id: 'ShopStanding' });

export const shopSummary = z
  .object({
    shopId: z.string(),
    name: z.string(),
    standing: standing.nullable().describe('What the caller is there; null: no member.'),
  })
  .meta({ id: 'Shop' });
export type ShopSummary = z.output<typeof shopSummary>;

const member = z.object({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  role: shopRole,
  topics,
  since: time,
});
export type ShopMemberView = z.output<typeof member>;

const openInvitation = z.object({
  invitationId: z.string(),
  email: z.string(),
  role: shopRole,
  topics,
  expiresAt: time,
});

export const shopView = z
  .object({
    shopId: z.string(),
    name: z.string(),
    version: z.int(),
    shipping: shippingRules,
    mayChange: z.boolean().describe('Whether the caller may change the shop and its members.'),
    members: z.array(member),
    invitations: z.array(openInvitation).describe('Open ones; empty for callers who may not change them.'),
  })
  .meta({ id: 'ShopWithMembers' });
export type ShopView = z.output<typeof shopView>;

export const removedMember = z.object({ userId: z.string() });

export const shopEdit = z.strictObject({
  name: z.string().trim().min(1).max(100).optional(),
  shipping: shippingRules.optional(),
  version: z.number().int().min(1).describe('As last seen.'),
});
export type ShopEdit = z.output<typeof shopEdit>;

const given = { role: shopRole, topics: topics.default([...SHOP_TOPICS]) };
export const memberInvitation = z.strictObject({ email: emailAddress, ...given });
export type MemberInvitation = z.output<typeof memberInvitation>;
export const memberEdit = z.strictObject(given);
export type MemberEdit = z.output<typeof memberEdit>;
