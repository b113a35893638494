import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { area } from '../operation';
import { language } from '../shapes/account';
import { mailExamples } from '../shapes/mail';
import { setup, setupTrial, setupTrialResult } from '../shapes/preflight';

export const adminSetup = area(
  'Admin: go live',
  'The way from a fresh installation to a shop that takes money.',
);
const { operation } = adminSetup;

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

export const listMailExamples = operation('GET /api/admin/mails', {
  who: 'setUp',
  says: 'Every mail of the shop with made-up names, as it would be sent. Sends nothing.',
  query: z.object({ language: language.default(routing.defaultLocale) }),
  answers: { 200: mailExamples },
});
