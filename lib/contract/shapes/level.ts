import { z } from 'zod';
import { MAX_LEVEL, MAX_LEVEL_RULES } from '../words/level';
import { time } from './common';

const MOST_POINTS = 1_000_000_000;
const MOST_DAYS = 3_650;

const level = z.int().min(1).max(MAX_LEVEL);

const pointsRule = z
  .strictObject({ level, minPoints: z.int().min(1).max(MOST_POINTS).describe('From so many points on.') })
  .meta({ id: 'PointsRule' });

const membershipRule = z
  .strictObject({
    productId: z.string().min(1).max(100),
    level,
    days: z.int().min(1).max(MOST_DAYS).describe('For each unit that is paid, from the payment on.'),
  })
  .meta({ id: 'MembershipRule' });

const byPoints = z.array(pointsRule).max(MAX_LEVEL_RULES);
const byMembership = z.array(membershipRule).max(MAX_LEVEL_RULES);

const rules = z.strictObject({
  byPoints: byPoints.describe('The lowest level first; a higher level takes more points.'),
  byMembership: byMembership.describe('Each product once.'),
});
/** Which level so many points earn, and which one a membership gives. */
export type LevelRules = z.output<typeof rules>;

export const levelRules = rules
  .extend({
    products: z
      .record(z.string(), z.string())
      .describe('The name of each product that is a membership, by its id.'),
  })
  .meta({ id: 'LevelRules' });
export type LevelRulesView = z.output<typeof levelRules>;

export const levelRulesEdit = rules.extend({
  byPoints: byPoints.refine(
    (all) =>
      all.every(({ level, minPoints }, at) => {
        const below = all[at - 1];
        return !below || (level > below.level && minPoints > below.minPoints);
      }),
    'must begin with the lowest level, and each next one takes more points',
  ),
  byMembership: byMembership.refine(
    (all) => new Set(all.map(({ productId }) => productId)).size === all.length,
    'must name each product once',
  ),
  before: rules.describe('As last seen; if they are otherwise by now, nothing is changed.'),
});
export type LevelRulesEdit = z.output<typeof levelRulesEdit>;

export const ownLevel = z
  .object({
    level: z.int().describe('The one that counts now: given by staff, earned by points, or by a membership.'),
    until: time.nullable().describe('When the membership behind it ends; null: it does not end by itself.'),
    points: z.int(),
    byPoints: z.array(pointsRule).describe('What more points earn, the lowest level first.'),
    memberships: z
      .array(
        z.object({
          level: z.int(),
          days: z.int(),
          name: z.string(),
          slug: z.string().nullable().describe('A sale of it that is not over; null: there is none.'),
        }),
      )
      .describe('What can be bought, the lowest level first.'),
  })
  .meta({ id: 'OwnLevel' });
/** A shopper's level, and what leads to others. */
export type OwnLevel = z.output<typeof ownLevel>;
