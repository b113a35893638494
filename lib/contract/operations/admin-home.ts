import { type Area, operation } from '../operation';
import { home, homeWish } from '../shapes/home';

export const readHome = operation({
  id: 'readHome',
  method: 'GET',
  path: '/api/admin/home',
  who: 'seeAdmin',
  says: 'The money of the day, the sales that run and the next ones, and what waits for somebody. Merchants see their shop’s, staff see all.',
  query: homeWish,
  answers: { 200: home },
});

export const adminHome: Area = {
  name: 'Admin: home',
  says: 'What one wants to know first.',
  operations: [readHome],
};
