import { z } from 'zod';
import { port, url } from './kinds';
import { LOOPBACK } from './processes';
import { SHOP, tell } from './tell';

/** Who runs the functions that write orders, release holds and settle payments. */
export const jobSettings = {
  EXECUTOR_PORT: tell(port.optional(), {
    says: 'The port of our own executor. On web and worker it says that the executor is ours: set it, or leave it unset for another Inngest.',
    usedBy: ['web', 'worker', 'executor'],
    example: '8288',
    unset: 'another Inngest runs the functions',
  }),
  EXECUTOR_HOST: tell(z.string().default(LOOPBACK), {
    says: 'The address our executor listens on. Beyond loopback the two keys below have to be long.',
    usedBy: ['executor'],
  }),
  EXECUTOR_BACKOFF_MS: tell(
    z
      .string()
      .regex(/^\d+(,\d+)*$/, 'must be milliseconds separated by commas')
      .transform((value) => value.split(',').map(Number))
      .optional(),
    {
      says: "Our executor's waits between attempts, in ms, separated by commas.",
      usedBy: ['executor'],
      unset: 'from 15 s to 2 h, longer each time',
    },
  ),
  INNGEST_EVENT_KEY: tell(z.string().min(1), {
    says: 'Proves who sends events. For our executor a random one.',
    usedBy: ['web', 'worker', 'executor'],
    example: '`openssl rand -hex 32`',
  }),
  INNGEST_SIGNING_KEY: tell(
    z.string().regex(/^signkey-[a-z0-9]+-(?:[0-9a-f]{2})+$/i, 'must be signkey-<env>-<hex digits in pairs>'),
    {
      says: 'Signs the calls that run functions. For our executor `signkey-prod-` before a random one.',
      usedBy: ['web', 'worker', 'executor'],
      example: 'signkey-prod-…',
    },
  ),
  INNGEST_BASE_URL: tell(url('http:', 'https:').optional(), {
    says: 'Where the executor is, or a self-hosted Inngest.',
    usedBy: SHOP,
    example: 'http://10.0.0.9:8288',
    unset: 'our executor on this machine, or Inngest Cloud',
  }),
  INNGEST_SERVE_ORIGIN: tell(url('http:', 'https:').default('http://127.0.0.1:3000'), {
    says: 'Where the executor and the workers reach a web process, or a balancer of them.',
    usedBy: ['web', 'worker', 'executor'],
    example: 'http://10.0.0.1:3000',
  }),
  INNGEST_DEV: tell(z.string().default('0'), {
    says: "For Inngest's dev server alone: functions then run for calls nobody has signed. Refused in production.",
    usedBy: SHOP,
  }),
};
