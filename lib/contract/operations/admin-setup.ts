import { type Area, operation } from '../operation';
import { setup } from '../shapes/setup';

export const readSetup = operation({
  id: 'readSetup',
  method: 'GET',
  path: '/api/admin/setup',
  who: 'operator',
  says: 'What is missing before the shop can go live, as the process that answers was set up.',
  answers: { 200: setup },
});

export const adminSetup: Area = {
  name: 'Admin: setup',
  says: 'The way from a fresh installation to a shop that takes money.',
  operations: [readSetup],
};
