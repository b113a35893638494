import { z } from 'zod';
import { MAX_LEVEL } from '../words/level';

/** More than anybody tells apart. */
const MOST_RULES = 20;
const MOST_POINTS = 1_000_000_000;

export const levelRule = z
  .strictObject({
    level: z.int().min(1).max(MAX_LEVEL),
    minPoints: z.int().min(1).max(MOST_POINTS).describe('Points from which on they have this level.'),
  })
  .meta({ id: 'LevelRule' });
export type LevelRule = z.output<typeof levelRule>;

const rules = z
  .array(levelRule)
  .max(MOST_RULES)
  .refine(
    (all) =>
      all.every(({ level, minPoints }, n) => {
        const below = all[n - 1];
        return !below || (level > below.level && minPoints > below.minPoints);
      }),
    'A higher level wants more points; begin with the lowest.',
  );

export const levelRules = z.object({
  rules: z.array(levelRule).describe('The lowest first; none: points earn no level.'),
});

export const levelRulesEdit = z.strictObject({
  rules,
  before: z
    .array(levelRule)
    .max(MOST_RULES)
    .describe('As last seen; if they are otherwise by now, nothing is changed.'),
});
export type LevelRulesEdit = z.output<typeof levelRulesEdit>;
