import { z } from 'zod';
import { addressSettings } from './addresses';
import { demoSettings } from './demo';
import { jobSettings } from './jobs';
import { isPrivateHost, isWeakKey, MIN_SECRET_LENGTH } from './kinds';
import { mailSettings } from './mail';
import { paymentSettings } from './payment';
import { processSettings } from './processes';
import { proofSettings } from './proof';
import { retentionSettings } from './retention';
import { secretSettings } from './secrets';
import { serverSettings } from './servers';
import { openIdSettings, staffSettings } from './staff';
import { traceSettings } from './traces';

/** Every setting there is, and which rules hold for several together. */

/** As docs/SETTINGS.md lists them. */
export const TOPICS = {
  'Postgres and Redis': serverSettings,
  'The names of the shop': addressSettings,
  Secrets: secretSettings,
  'Who runs the functions': jobSettings,
  'The processes': processSettings,
  'Staff and sign-in': { ...staffSettings, ...openIdSettings },
  'Mails and alerts': mailSettings,
  Payments: paymentSettings,
  'Proof and chance': proofSettings,
  'How long things are kept': retentionSettings,
  Traces: traceSettings,
  'Demo or shop': demoSettings,
};

const schema = z.object({
  ...serverSettings,
  ...addressSettings,
  ...secretSettings,
  ...jobSettings,
  ...processSettings,
  ...staffSettings,
  ...openIdSettings,
  ...mailSettings,
  ...paymentSettings,
  ...proofSettings,
  ...retentionSettings,
  ...traceSettings,
  ...demoSettings,
});

/** The name of every setting. */
export const SETTINGS: readonly string[] = Object.keys(schema.shape);

export const isOn = (inngestDev: string) => !['0', 'false'].includes(inngestDev);

/** Checks rules about several variables together, also where one of them is wrong by itself. */
export const checked = schema.superRefine(
  (raw, context) => {
    const problem = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    for (const other of ['PORT', 'EXECUTOR_PORT'] as const) {
      if (raw.METRICS_PORT === raw[other]) problem('METRICS_PORT', `must not be the same as ${other}`);
    }
    if (raw.ALERT_WEBHOOK_URL && !raw.ALERT_WEBHOOK_SECRET)
      problem('ALERT_WEBHOOK_SECRET', 'must be set with ALERT_WEBHOOK_URL: whsec_ and a base64 key');
    if (raw.LOG_WEBHOOK_URL && !raw.LOG_WEBHOOK_SECRET)
      problem('LOG_WEBHOOK_SECRET', 'must be set with LOG_WEBHOOK_URL: whsec_ and a base64 key');
    if (raw.LOG_WEBHOOK_URL && !raw.LOG_WEBHOOK_PRIVATE && isPrivateHost(raw.LOG_WEBHOOK_URL))
      problem('LOG_WEBHOOK_URL', 'must not be a private address unless LOG_WEBHOOK_PRIVATE is 1');
    for (const name of ['PURCHASE_ORIGIN', 'ASSET_ORIGIN'] as const) {
      const other = raw[name];
      if (!other) continue;
      if (other === raw.NEXTAUTH_URL)
        problem(name, 'must not be the address of the shop itself (NEXTAUTH_URL): leave it unset');
      else if (/^https:/.test(raw.NEXTAUTH_URL) && !/^https:/.test(other))
        problem(name, 'must begin with https where NEXTAUTH_URL does: browsers refuse the mixture');
    }
    if (raw.CDN_VENDOR && raw.CDN_PURGE_URL)
      problem('CDN_PURGE_URL', 'must not be set with CDN_VENDOR: one CDN is told');
    for (const name of ['CDN_ZONE', 'CDN_API_TOKEN', 'CDN_API_URL'] as const) {
      if (raw[name] && !raw.CDN_VENDOR) problem(name, 'must not be set without CDN_VENDOR');
      if (!raw[name] && raw.CDN_VENDOR && name !== 'CDN_API_URL')
        problem(name, 'must be set with CDN_VENDOR');
    }
    const openId = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const;
    if (openId.some((name) => raw[name]))
      for (const name of openId.filter((each) => !raw[each]))
        problem(name, 'must be set where another OIDC_ setting is: all four, or none');
    if (raw.OIDC_ISSUER && !isGoodIssuer(raw.OIDC_ISSUER, raw.NEXTAUTH_URL))
      problem(
        'OIDC_ISSUER',
        'must begin with https and have no query; http only on this machine, for a shop that is itself not served over https',
      );
    // The demo's passwords are public.
    const isDemo = raw.SECKILL_DEMO === true;
    if (isDemo && /^https:/.test(raw.NEXTAUTH_URL))
      problem(
        'SECKILL_DEMO',
        'must be 0 where NEXTAUTH_URL begins with https: a demo is for this machine alone',
      );
    if (isDemo && raw.TRUST_PROXY > 0)
      problem('SECKILL_DEMO', 'must be 0 behind a proxy (TRUST_PROXY): a demo is for this machine alone');
    if (isDemo && raw.STAFF_SECOND_FACTOR)
      problem('STAFF_SECOND_FACTOR', 'must be 0 in the demo: its accounts can have no second factor');
    const isTestKey = /^[sr]k_test_/.test(raw.STRIPE_SECRET_KEY ?? '');
    for (const [name, other] of [
      ['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY'],
      ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    ] as const)
      if (raw[other] && !raw[name]) problem(name, `must be set with ${other}`);
    if (raw.STRIPE_API_URL && !isTestKey)
      problem('STRIPE_API_URL', 'must not be set without a test key: real keys go to Stripe alone');
    if (isDemo && raw.STRIPE_SECRET_KEY)
      problem('STRIPE_SECRET_KEY', 'must not be set in the demo: its crowd pays at the sandbox');
    if (raw.SECKILL_DEMO === false && !raw.ALLOW_SANDBOX_PAYMENTS && (!raw.STRIPE_SECRET_KEY || isTestKey))
      problem(
        'ALLOW_SANDBOX_PAYMENTS',
        'must be 1 outside the demo unless STRIPE_SECRET_KEY is a live key: the sandbox and test keys move no money',
      );
    if (isOn(raw.INNGEST_DEV) && raw.NODE_ENV === 'production')
      problem(
        'INNGEST_DEV',
        'must not be set in production: functions would run for calls nobody has signed',
      );
  },
  { when: () => true },
);

/** What our executor needs as a process of its own: neither Redis nor the shop's secrets. */
export const executorSchema = schema
  .pick({
    DATABASE_URL: true,
    DATABASE_DIRECT_URL: true,
    INNGEST_EVENT_KEY: true,
    INNGEST_SIGNING_KEY: true,
    INNGEST_SERVE_ORIGIN: true,
    EXECUTOR_HOST: true,
    EXECUTOR_PORT: true,
    EXECUTOR_BACKOFF_MS: true,
  })
  .superRefine(
    (raw, context) => {
      if (raw.EXECUTOR_HOST === undefined || isLoopback(raw.EXECUTOR_HOST)) return;
      // Whoever guesses the keys may run the functions, and add orders.
      for (const name of ['INNGEST_EVENT_KEY', 'INNGEST_SIGNING_KEY'] as const) {
        const key = raw[name]?.replace(/^signkey-[a-z0-9]+-/i, '') ?? '';
        if (isWeakKey(key))
          context.addIssue({
            code: 'custom',
            path: [name],
            message: `must be a random key of at least ${MIN_SECRET_LENGTH} characters where EXECUTOR_HOST is not loopback`,
          });
      }
    },
    { when: () => true },
  );

/** Whether only this machine can reach an address. */
const isLoopback = (host: string): boolean => /^(localhost|::1|127(\.\d+){3})$/.test(host);

/** OpenID Connect Discovery 1.0: no query, no fragment. Plain http never leaves this machine, and is for trying out. */
function isGoodIssuer(issuer: string, publicUrl: string): boolean {
  if (!URL.canParse(issuer)) return false;
  const { protocol, hostname, search, hash, username } = new URL(issuer);
  if (search || hash || username) return false;
  return (
    protocol === 'https:' || (isLoopback(hostname.replace(/^\[|\]$/g, '')) && !/^https:/.test(publicUrl))
  );
}
