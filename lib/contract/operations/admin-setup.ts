import { type Area, operation } from '../operation';
import { setup, setupTrial, setupTrialResult } from '../shapes/preflight';

export const readSetup = operation('GET /api/admin/setup', {
  who: 'setUp',
  says: 'What is missing before the shop goes live. Settings are those of the web process that answers.',
  answers: { 200: setup },
});

export const trySetup = operation('POST /api/admin/setup/test', {
  who: 'setUp',
  says: 'Sends a mail to whoever asks, or posts `{"type": "webhook.test"}` to the webhook of alerts, and tells what became of it.',
  body: setupTrial,
  answers: { 200: setupTrialResult },
  errors: ['NOT_FOUND'],
});

export const adminSetup: Area = {
  name: 'Admin: go live',
  says: 'The way from a fresh installation to a shop that takes money.',
  operations: [readSetup, trySetup],
};
