import { z } from 'zod';
import { CHECK_IDS, SETUP_CHECK_IDS, SETUP_TRIALS } from '../words/preflight';

const result = {
  ok: z.boolean(),
  reason: z.string().nullable().describe('What is wrong with it, stable; null: nothing.'),
  detail: z.string().describe('The same in words.'),
  values: z
    .record(z.string(), z.union([z.number(), z.string()]))
    .describe('The numbers in it: milliseconds, seconds or units; `address`: where callbacks come.'),
};
const severity = z.enum(['stop', 'warn']);

const check = z.object({
  id: z.enum(CHECK_IDS),
  severity: severity.describe(
    'What it means if it is not ok: `stop` forbids to publish, `warn` leaves it to the merchant.',
  ),
  ...result,
});

/** The result of one check. */
export type Check<Id extends string = z.output<typeof check>['id']> = Omit<z.output<typeof check>, 'id'> & {
  id: Id;
};

export const preflight = z
  .object({ ok: z.boolean().describe('Nothing forbids to publish.'), checks: z.array(check) })
  .meta({ id: 'Preflight' });

export type Preflight = z.output<typeof preflight>;

const setupCheck = z.object({
  id: z.enum(SETUP_CHECK_IDS),
  severity: severity.describe(
    'What it means if it is not ok: `stop`: do it before you go live; `warn`: better with it.',
  ),
  ...result,
  found: z
    .string()
    .nullable()
    .describe('What the shop has now, as far as it can be named: an address, a host. Never a secret.'),
});
export type SetupCheck = z.output<typeof setupCheck>;

export const setup = z
  .object({
    ok: z.boolean().describe('Nothing is missing that a shop needs to go live.'),
    checks: z.array(setupCheck),
    trials: z.array(z.enum(SETUP_TRIALS)).describe('What can be tried out.'),
  })
  .meta({ id: 'Setup' });
export type Setup = z.output<typeof setup>;

export const setupTrial = z.strictObject({ what: z.enum(SETUP_TRIALS) });
export const setupTrialResult = z.object({
  outcome: z
    .enum(['sent', 'written', 'failed'])
    .describe('`written`: the mail is a file on the server, because no mail server is set.'),
  to: z.string().describe('The address of the mail, or the host of the webhook.'),
  detail: z.string().nullable().describe('Why it failed; else null.'),
});
export type SetupTrialResult = z.output<typeof setupTrialResult>;
