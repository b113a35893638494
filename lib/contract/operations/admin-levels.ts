import { type Area, operation } from '../operation';
import { levelRules, levelRulesEdit } from '../shapes/level';

export const readLevelRules = operation({
  id: 'readLevelRules',
  method: 'GET',
  path: '/api/admin/levels',
  who: 'seeShop',
  says: 'Which level so many points earn.',
  answers: { 200: levelRules },
});

export const setLevelRules = operation({
  id: 'setLevelRules',
  method: 'PUT',
  path: '/api/admin/levels',
  who: 'manageUsers',
  says: 'Replaces the rules, based on those last seen. In force at everybody’s next request; an entry token keeps the level it was given with.',
  body: levelRulesEdit,
  answers: { 200: levelRules },
  errors: ['VERSION_CONFLICT'],
});

export const adminLevels: Area = {
  name: 'Admin: levels',
  says: 'Levels that shoppers earn by points. Sales may ask for one, and draws may weigh by it. Staff may give an account another one, also with an end, as a membership has.',
  operations: [readLevelRules, setLevelRules],
};
