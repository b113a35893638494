import { z } from 'zod';
import { type Company, PROVIDERS } from './contract/words/payment';
import {
  flag,
  isPrivateHost,
  isWeakKey,
  liveSecrets,
  lockServers,
  MIN_SECRET_LENGTH,
  origin,
  p256Key,
  port,
  redisUrl,
  replicaServers,
  share,
  url,
  whole,
  wholeOrOff,
} from './setting-kinds';

/** Every setting there is: what it may be, and which rules hold for several together. */

export const LOOPBACK = '127.0.0.1';
const MAX_ALERT_ADDRESSES = 10;
const MAX_KEPT_DAYS = 3_650;

const schema = z.object({
  PORT: port.default(3000),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  /**
   * The same database without a pooler, where DATABASE_URL leads to one (with `?pgbouncer=true`): migrations and the
   * executor's notifications need a connection to themselves.
   */
  DATABASE_DIRECT_URL: url('postgres:', 'postgresql:').optional(),
  /** Servers that repeat what the one of DATABASE_URL does, separated by commas: lists and reports read from them. */
  DATABASE_REPLICA_URLS: replicaServers.optional(),
  /** How old their answers may be, in ms; older ones are read from the primary. */
  REPLICA_MAX_LAG_MS: whole(200, 60_000).default(1_000),
  REDIS_URL: redisUrl,
  CACHE_REDIS_URL: redisUrl.optional(),
  /** How many replicas of the stock Redis must have a purchase before it is answered; 0: none. */
  STOCK_REPLICAS_ACK: whole(0, 5).default(0),
  /** Independent servers for the locks of the lock strategy, separated by commas; unset: the cache Redis alone. */
  LOCK_REDIS_URLS: lockServers.optional(),
  /** How long a purchase of the lock strategy tries to get its lock, in ms; then it is told to come again. */
  LOCK_ACQUIRE_TIMEOUT_MS: whole(50, 5_000).default(500),
  /** Wait between two of those tries, in ms. */
  LOCK_RETRY_INTERVAL_MS: whole(1, 1_000).default(10),
  NEXTAUTH_SECRET: liveSecrets,
  /**
   * Normalised once, so that no caller has to check again whether it is https; removes what follows the host, because
   * it is not ours.
   */
  NEXTAUTH_URL: url('http:', 'https:')
    .transform((value) => new URL(value).origin)
    .default('http://localhost:3000'),
  ENTRY_SECRET: liveSecrets,
  SANDBOX_WEBHOOK_SECRET: z.string().startsWith('whsec_').min(MIN_SECRET_LENGTH),
  /** Lets a shop that is no demo run with the sandbox or with test keys, which move no money. */
  ALLOW_SANDBOX_PAYMENTS: flag.default(false),
  /** Takes the money of sales that name no provider. Unset: the company whose keys are set, or else the sandbox. */
  PAYMENT_PROVIDER: z.enum(PROVIDERS, `must be one of ${PROVIDERS.join(', ')}`).optional(),
  /** Stripe takes payments with it. */
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_[A-Za-z0-9]{16,240}$/, 'must be a secret or restricted key of Stripe')
    .optional(),
  /** Signs Stripe's callbacks. */
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/=]{16,240}$/, 'must be the signing secret of an endpoint of Stripe')
    .optional(),
  /** Another server that speaks Stripe's interface: for tests, with a test key. */
  STRIPE_API_URL: url('http:', 'https:').optional(),
  /** Mollie takes payments with it. */
  MOLLIE_API_KEY: z
    .string()
    .regex(/^(test|live)_[A-Za-z0-9]{20,240}$/, 'must be an API key of Mollie')
    .optional(),
  /** Another server that speaks Mollie's interface: for tests, with a test key. */
  MOLLIE_API_URL: url('https:').optional(),
  /**
   * The worker proves itself with it when it asks the web process to renew a page; it never leaves the machine or the
   * private network.
   */
  INTERNAL_SECRET: liveSecrets,
  INNGEST_DEV: z.string().default('0'),
  INNGEST_BASE_URL: url('http:', 'https:').optional(),
  INNGEST_EVENT_KEY: z.string().min(1),
  INNGEST_SIGNING_KEY: z
    .string()
    .regex(/^signkey-[a-z0-9]+-(?:[0-9a-f]{2})+$/i, 'must be signkey-<env>-<hex digits in pairs>'),
  INNGEST_SERVE_ORIGIN: url('http:', 'https:').default('http://127.0.0.1:3000'),
  /**
   * Port of our own executor; unset when Inngest runs the functions. The other processes reach it at INNGEST_BASE_URL,
   * on this machine without one.
   */
  EXECUTOR_PORT: port.optional(),
  /** The address our executor listens on. */
  EXECUTOR_HOST: z.string().default(LOOPBACK),
  /** The embedded executor's waits between attempts, in ms, separated by commas. */
  EXECUTOR_BACKOFF_MS: z
    .string()
    .regex(/^\d+(,\d+)*$/, 'must be milliseconds separated by commas')
    .transform((value) => value.split(',').map(Number))
    .optional(),
  TRUST_PROXY: whole(0, 10).default(0),
  WEB_CONCURRENCY: whole(1, 256).default(1),
  /**
   * How long a web process that was told to end still takes requests, in ms: until what stands in front of it sends
   * them elsewhere. 0: nothing stands in front.
   */
  DRAIN_MS: whole(0, 60_000).default(0),
  /** `off`: Next answers everything; for comparing the two, and in case the fast path ever misbehaves. */
  SECKILL_FAST_LANE: z.enum(['on', 'off'], 'must be on or off').default('on'),
  /** `off`: node:http reads every request; the fast path's own reader of plain requests is not used. */
  SECKILL_PLAIN_HTTP: z.enum(['on', 'off'], 'must be on or off').default('on'),
  /** MiB that the process running Next may use; above it a new process takes over. */
  SECKILL_NEXT_MEMORY_MB: whole(384, 65_536).default(768),
  /** Processor cores that check passwords, at a low priority; unset: all but one. */
  SIGN_IN_CORES: whole(1, 256).optional(),
  /** The address the web process listens on; all addresses when unset. */
  SECKILL_HOST: z.string().optional(),
  /** Another name of the shop, to which pages send purchases without cookies. Unset: to their own. */
  PURCHASE_ORIGIN: origin.optional(),
  /** Another name of the shop, from which pages load scripts and styles. Unset: from their own. */
  ASSET_ORIGIN: origin.optional(),
  /** Gets a POST `{paths}` that names the changed pages; unset if there is no CDN, or one of CDN_VENDOR. */
  CDN_PURGE_URL: url('http:', 'https:').optional(),
  /** The CDN in front of the shop: it gets tags with what it may keep, and is told which of them changed. */
  CDN_VENDOR: z.enum(['cloudflare', 'fastly'], 'must be cloudflare or fastly').optional(),
  /** Cloudflare's zone, or Fastly's service. */
  CDN_ZONE: z
    .string()
    .regex(/^[A-Za-z0-9]{1,64}$/, 'must be letters and digits')
    .optional(),
  /** May purge there, and need not be allowed anything else. */
  CDN_API_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 characters without spaces')
    .optional(),
  /** The address of the vendor's interface, if not the public one. */
  CDN_API_URL: url('http:', 'https:').optional(),
  /**
   * The address of a public randomness beacon with drand's HTTP interface: its values go into draws. Unset: no beacon
   * does.
   */
  BEACON_URL: url('http:', 'https:').optional(),
  /** How many accepted purchases of one sale may wait for the executor; above it the shop refuses new ones with 503. */
  SECKILL_BACKLOG_CAP: whole(1, 10_000_000).default(100_000),
  /** Adding more units than this to a sale within a day needs a second person; off: never. */
  APPROVAL_STOCK_UNITS: wholeOrOff(0, 1_000_000_000).optional(),
  /** Refunding more than this alone within a day, in minor units of one currency, needs a second person; off: never. */
  APPROVAL_REFUND_MINOR: wholeOrOff(0, 2_147_483_647).optional(),
  /** How busy a web process must be, in per cent of its time, for the first side feature to go; off: none goes by itself. */
  SHED_ABOVE: wholeOrOff(1, 97).optional(),
  /** Days after which a mark of a processed message may go; off: never. A payment may come a week after its order. */
  KEEP_MARKS_DAYS: wholeOrOff(8, MAX_KEPT_DAYS).optional(),
  /** Days after which shoppers' notices go; off: never. */
  KEEP_NOTICES_DAYS: wholeOrOff(30, MAX_KEPT_DAYS).optional(),
  /** Days after which hits of risk rules go; off: never. */
  KEEP_RISK_HITS_DAYS: wholeOrOff(8, MAX_KEPT_DAYS).optional(),
  /** Days after which the address of an order goes, from the last step of its parcel; off: never. */
  KEEP_ADDRESSES_DAYS: wholeOrOff(30, MAX_KEPT_DAYS).optional(),
  /** Address and port at which a worker serves metrics and health. */
  METRICS_HOST: z.string().default(LOOPBACK),
  METRICS_PORT: port.default(9464),
  /** The receiver of traces, over OTLP and HTTP; unset: the process makes none. The names are OpenTelemetry's. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[\w-]+=[^,]+(,[\w-]+=[^,]+)*$/, 'must be name=value pairs separated by commas')
    .optional(),
  OTEL_SERVICE_NAME: z.string().max(200).default('seckill'),
  /** The share of the purchases that is traced. */
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  /** The addresses that get alerts by mail, separated by commas. */
  ALERT_EMAIL_TO: z
    .string()
    .transform((value) => value.split(',').map((address) => address.trim()))
    .pipe(z.array(z.email('must be e-mail addresses separated by commas')).max(MAX_ALERT_ADDRESSES))
    .optional(),
  /** Gets alerts by POST, with a Standard Webhooks signature. */
  ALERT_WEBHOOK_URL: url('http:', 'https:').optional(),
  ALERT_WEBHOOK_SECRET: z.string().startsWith('whsec_').min(MIN_SECRET_LENGTH).optional(),
  /** Signs the heads of the decision logs: ECDSA P-256, PKCS #8 in base64url. Unset: nothing is appended or published. */
  LOG_SIGNING_KEY: p256Key.optional(),
  /** Gets every signed head by POST, with a Standard Webhooks signature. */
  LOG_WEBHOOK_URL: url('http:', 'https:').optional(),
  LOG_WEBHOOK_SECRET: z.string().startsWith('whsec_').min(MIN_SECRET_LENGTH).optional(),
  /** Lets LOG_WEBHOOK_URL be an address of this machine or a private network. */
  LOG_WEBHOOK_PRIVATE: flag.default(false),
  /** The mail server, as smtp://user:password@host:port or smtps://…; unset: mails go into files in MAIL_DIR. */
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_DIR: z.string().default('.data/mail'),
  /** The folder of uploaded pictures, which every web process and worker shares. Unused with MEDIA_BUCKET. */
  MEDIA_DIR: z.string().default('.data/media'),
  /** The bucket of uploaded pictures, on a server that speaks S3. It, its region, key and secret are set, or none. */
  MEDIA_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be 3 to 63 lower-case letters, digits, dots or hyphens',
    )
    .optional(),
  MEDIA_BUCKET_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'must be lower-case letters, digits and hyphens, like eu-central-1')
    .optional(),
  MEDIA_BUCKET_KEY_ID: z
    .string()
    .regex(/^[\x21-\x7e]{3,128}$/, 'must be 3 to 128 characters without spaces')
    .optional(),
  MEDIA_BUCKET_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{8,256}$/, 'must be 8 to 256 characters without spaces')
    .optional(),
  /** Unset: Amazon's server of the region. */
  MEDIA_BUCKET_ENDPOINT: url('http:', 'https:').optional(),
  /** `1`: the bucket stands in the path of addresses, as MinIO has it, not in their host. */
  MEDIA_BUCKET_PATH_STYLE: flag.default(false),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]{3,200}$/, 'must be one line, like Shop <shop@example.com>')
    .default('Seckill <no-reply@localhost>'),
  SECKILL_DEMO: flag.default(false),
  /** The issuer of a server that signs people in by OpenID Connect, as it names itself. All four are set, or none. */
  OIDC_ISSUER: url('http:', 'https:').optional(),
  OIDC_CLIENT_ID: z
    .string()
    .regex(/^[\x21-\x7e]{1,300}$/, 'must be 1 to 300 characters without spaces')
    .optional(),
  OIDC_CLIENT_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 characters without spaces')
    .optional(),
  /** How the sign-in page names it. */
  OIDC_NAME: z
    .string()
    .regex(/^[^\p{C}]{1,40}$/u, 'must be 1 to 40 characters in one line')
    .optional(),
  /** `0`: staff may enter the admin area without a second factor. Unset: `1`, in the demo `0`. */
  STAFF_SECOND_FACTOR: flag.optional(),
  /**
   * How long after showing who they are staff may do what is dangerous, in minutes; `0`: for as long as they are signed in.
   * Unset: 15, in the demo `0`.
   */
  CONFIRM_AGAIN_MINUTES: whole(0, 1_440).optional(),
  /** Outside the demo, each start invites this address as admin as long as there is no admin. */
  SECKILL_ADMIN_EMAIL: z.email('must be an e-mail address').max(254).optional(),
  /** Multiplies every limit of `lib/time-limits.ts`: for a machine that is busy with other things, as a test's is. */
  SECKILL_PATIENCE: whole(1, 100).default(1),
  NODE_ENV: z.string().optional(),
});

/** The name of every setting. */
export const SETTINGS: readonly string[] = Object.keys(schema.shape);

/** Tells whether a company's key is one for tests: it moves no money. */
export const isTestKey = (key: string): boolean => /^([sr]k_)?test_/.test(key);

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
    checkPayments(raw, problem);
    checkOpenId(raw, problem);
    checkBucket(raw, problem);
    if (isOn(raw.INNGEST_DEV) && raw.NODE_ENV === 'production')
      problem(
        'INNGEST_DEV',
        'must not be set in production: functions would run for calls nobody has signed',
      );
  },
  { when: () => true },
);

const COMPANY_SETTINGS = {
  stripe: { key: 'STRIPE_SECRET_KEY', apiUrl: 'STRIPE_API_URL' },
  mollie: { key: 'MOLLIE_API_KEY', apiUrl: 'MOLLIE_API_URL' },
} as const satisfies Record<Company, { key: string; apiUrl: string }>;
type CompanySettings = (typeof COMPANY_SETTINGS)[Company];

type PaymentSettings = Pick<
  Partial<z.output<typeof schema>>,
  | 'ALLOW_SANDBOX_PAYMENTS'
  | 'PAYMENT_PROVIDER'
  | 'SECKILL_DEMO'
  | 'STRIPE_WEBHOOK_SECRET'
  | CompanySettings[keyof CompanySettings]
>;

function checkPayments(raw: PaymentSettings, problem: (name: string, message: string) => void): void {
  if (raw.STRIPE_SECRET_KEY && !raw.STRIPE_WEBHOOK_SECRET)
    problem('STRIPE_WEBHOOK_SECRET', 'must be set with STRIPE_SECRET_KEY');
  if (!raw.STRIPE_SECRET_KEY && raw.STRIPE_WEBHOOK_SECRET)
    problem('STRIPE_SECRET_KEY', 'must be set with STRIPE_WEBHOOK_SECRET');
  const keys: string[] = [];
  for (const { key: name, apiUrl } of Object.values(COMPANY_SETTINGS)) {
    const key = raw[name];
    if (key) keys.push(key);
    if (raw[apiUrl] && !(key && isTestKey(key)))
      problem(apiUrl, 'must not be set without a test key: real keys go to their company alone');
    if (raw.SECKILL_DEMO && key) problem(name, 'must not be set in the demo: its crowd pays at the sandbox');
  }
  const allowsSandbox = raw.SECKILL_DEMO !== false || raw.ALLOW_SANDBOX_PAYMENTS !== false;
  if (!allowsSandbox && (keys.length === 0 || keys.some(isTestKey)))
    problem(
      'ALLOW_SANDBOX_PAYMENTS',
      'must be 1 outside the demo unless there is a live key, and no test key: the sandbox and test keys move no money',
    );
  // It may still be a wrong name, which its own rule tells.
  const { PAYMENT_PROVIDER: usual } = raw;
  if (!usual && keys.length > 1)
    problem('PAYMENT_PROVIDER', 'must be set where several companies have a key: which one is the usual one');
  if (usual && (usual === 'sandbox' ? !allowsSandbox : !raw[COMPANY_SETTINGS[usual]?.key]))
    problem('PAYMENT_PROVIDER', 'must name a provider that is set up');
}

const OPENID_SETTINGS = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const;

function checkOpenId(
  raw: Pick<Partial<z.output<typeof schema>>, (typeof OPENID_SETTINGS)[number] | 'NEXTAUTH_URL'>,
  problem: (name: string, message: string) => void,
): void {
  const { OIDC_ISSUER: issuer, NEXTAUTH_URL: shop = '' } = raw;
  for (const name of OPENID_SETTINGS) {
    if (!raw[name] && OPENID_SETTINGS.some((other) => raw[other]))
      problem(name, 'must be set where another OIDC_ setting is');
  }
  if (!issuer || !URL.canParse(issuer)) return;
  const { protocol, hostname, search, hash, username } = new URL(issuer);
  // For trying out: nothing leaves this machine.
  const isLocal = isLoopback(hostname.replace(/^\[|\]$/g, '')) && !/^https:/.test(shop);
  if ((protocol !== 'https:' && !isLocal) || search || hash || username)
    problem('OIDC_ISSUER', 'must begin with https, and have no query and no user name');
}

const BUCKET_SETTINGS = [
  'MEDIA_BUCKET',
  'MEDIA_BUCKET_REGION',
  'MEDIA_BUCKET_KEY_ID',
  'MEDIA_BUCKET_SECRET',
] as const;

function checkBucket(
  raw: Pick<
    Partial<z.output<typeof schema>>,
    (typeof BUCKET_SETTINGS)[number] | 'MEDIA_BUCKET_ENDPOINT' | 'MEDIA_BUCKET_PATH_STYLE'
  >,
  problem: (name: string, message: string) => void,
): void {
  const isMeant = [...BUCKET_SETTINGS, 'MEDIA_BUCKET_ENDPOINT' as const].some((name) => raw[name]);
  if (!isMeant && !raw.MEDIA_BUCKET_PATH_STYLE) return;
  for (const name of BUCKET_SETTINGS)
    if (!raw[name]) problem(name, 'must be set where another MEDIA_BUCKET_ setting is');
}

/** The one setting that every process may need. */
export const patienceSchema = schema.pick({ SECKILL_PATIENCE: true });

/** Settings of our executor as a process of its own. It needs neither Redis nor the shop's secrets. */
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
      // A client that guesses the keys can run the functions and add orders.
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

/** Tells whether only this machine can reach an address. */
const isLoopback = (host: string): boolean => /^(localhost|::1|127(\.\d+){3})$/.test(host);
