import { area } from '../operation';
import { levelRules, levelRulesEdit } from '../shapes/level';

export const adminLevels = area(
  'Admin: levels',
  'Levels that shoppers earn: by points, or by a membership that the shop sells. Sales may ask for a level, and draws may weigh by it. Staff may give an account a level, too; the highest counts.',
);
const { operation } = adminLevels;

const common = { who: 'manageUsers', answers: { 200: levelRules } } as const;

export const readLevelRules = operation('GET /api/admin/levels', {
  ...common,
  says: 'Which level so many points earn, and which products are memberships.',
});

export const setLevelRules = operation('PATCH /api/admin/levels', {
  ...common,
  says: 'Replaces all rules, based on those last seen. They count from the next request on; a membership that is paid keeps what it was sold with, and an entry token the level it was given with.',
  body: levelRulesEdit,
  errors: ['VERSION_CONFLICT', 'NOT_FOUND'],
});
