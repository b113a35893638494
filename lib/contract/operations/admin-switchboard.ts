import { area } from '../operation';
import { sideSwitch, switchboard, switchChange } from '../shapes/switchboard';

export const adminSwitchboard = area(
  'Admin: switchboard',
  'Side features can be switched off while a sale runs; in force in every process within a second. The purchase needs none of them.',
);
const { operation } = adminSwitchboard;

export const readSwitchboard = operation('GET /api/admin/switchboard', {
  who: 'seeShop',
  says: 'Which side features are on, which are off, and by whom or what.',
  answers: { 200: switchboard },
});

export const setSwitch = operation('PATCH /api/admin/switchboard/{feature}', {
  who: 'operator',
  says: 'Switches a side feature on, off, or leaves it to the load, based on the version last seen. The same mode again changes nothing.',
  body: switchChange,
  answers: { 200: sideSwitch },
  errors: ['FEATURE_NOT_FOUND', 'VERSION_CONFLICT'],
});
