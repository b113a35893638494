import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { parseRedisUrl } from './redis-address.mjs';

/** The only place that reads process.env. Parses it once, at first use; one message names every problem. */

const MIN_SECRET_LENGTH = 32;
const LOOPBACK = '127.0.0.1';
const SHARE = 'must be a number from 0 to 1';
const DEFAULT_SECRETS = /^(secret|change-?me|password|default|test|dev)/i;

/** Says what is expected, whatever value was given. */
const whole = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`;
  return z.coerce.number({ error }).int({ error }).min(from, { error }).max(to, { error });
};
/** Accepts a threshold, or the word `off`, which becomes null. */
const wholeOrOff = (from: number, to: number) =>
  z.union([z.literal('off').transform(() => null), whole(from, to)], {
    error: `must be off or a whole number from ${from} to ${to}`,
  });
const port = whole(1, 65_535);
const share = z.coerce.number({ error: SHARE }).min(0, SHARE).max(1, SHARE);
const secret = z
  .string()
  .min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`)
  .refine((value) => !DEFAULT_SECRETS.test(value), 'looks like a default; generate a random one');
const flag = z
  .enum(['0', '1', 'true', 'false', ''], 'must be 0, 1, true or false')
  .transform((value) => value === '1' || value === 'true');
const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    message: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
/** Accepts scheme, host and port alone: a page names such an address in its policy, and browsers compare it exactly. */
const origin = url('http:', 'https:')
  .refine(
    (value) => !URL.canParse(value) || value.toLowerCase().replace(/\/$/, '') === new URL(value).origin,
    'must be scheme and host alone, like https://buy.example.com',
  )
  .transform((value) => new URL(value).origin);
/** Accepts one server, a cluster or Sentinels, as the start checks do. */
const redisUrl = z.string().superRefine((value, context) => {
  try {
    parseRedisUrl(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
  }
});

const DEFAULT_REDIS_PORT = 6379;
const DEFAULT_POSTGRES_PORT = 5432;
/** Nine servers survive four failures; each one more costs every purchase under the lock time. */
const MAX_LOCK_SERVERS = 9;
/** One server, or an odd number of them: an even one more survives no failure more. */
const lockServers = z
  .string()
  .transform((value) => value.split(',').map((address) => address.trim()))
  .pipe(
    z
      .array(url('redis:', 'rediss:'))
      .max(MAX_LOCK_SERVERS, `must name at most ${MAX_LOCK_SERVERS} servers`)
      .refine((urls) => urls.length % 2 === 1, 'must name one server or an odd number of them')
      .refine(
        (urls) => new Set(urls.map((address) => serverOf(address, DEFAULT_REDIS_PORT))).size === urls.length,
        'must not name a server twice: the servers have to fail independently',
      ),
  );

const MAX_REPLICAS = 9;
const replicaServers = z
  .string()
  .transform((value) => value.split(',').map((address) => address.trim()))
  .pipe(
    z
      .array(url('postgres:', 'postgresql:'))
      .max(MAX_REPLICAS, `must name at most ${MAX_REPLICAS} servers`)
      .refine(
        (urls) =>
          new Set(urls.map((address) => serverOf(address, DEFAULT_POSTGRES_PORT))).size === urls.length,
        'must not name a server twice',
      ),
  );

const MAX_ALERT_ADDRESSES = 10;
/**
 * Above these thresholds two people have to agree, unless the environment sets others. In the demo one person plays
 * all parts.
 */
const APPROVALS = { stockUnits: 1_000, refundMinor: 100_000 };
const DEMO_APPROVALS = { stockUnits: 10_000, refundMinor: 1_000_000 };
/** How long what is needed for a while only is kept, in days, unless the environment says otherwise. */
const KEPT_DAYS = { marks: 30, notices: 365, riskHits: 90 };
const MAX_KEPT_DAYS = 3_650;
/** How busy a web process may be before side features go, in per cent, unless the environment says otherwise. */
const SHED_ABOVE = 90;

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
  NEXTAUTH_SECRET: secret,
  /**
   * Normalised once, so that no caller has to check again whether it is https; removes what follows the host, because
   * it is not ours.
   */
  NEXTAUTH_URL: url('http:', 'https:')
    .transform((value) => new URL(value).origin)
    .default('http://localhost:3000'),
  /** At most two live keys, newest first, separated by a comma: the first signs, both verify. */
  ENTRY_SECRET: z
    .string()
    .transform((value) => value.split(',').map((key) => key.trim()))
    .pipe(z.array(secret).min(1).max(2)),
  SANDBOX_WEBHOOK_SECRET: z.string().startsWith('whsec_').min(MIN_SECRET_LENGTH),
  /** Lets a shop that is no demo run with the sandbox, whose payments move no money. */
  ALLOW_SANDBOX_PAYMENTS: flag.default(false),
  /**
   * The worker proves itself with it when it asks the web process to renew a page; it never leaves the machine or the
   * private network.
   */
  INTERNAL_SECRET: secret,
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
  /** Processor cores that check passwords, at the lowest priority; unset: all but one. */
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
  /** Where the vendor's interface is, if not at its public address. */
  CDN_API_URL: url('http:', 'https:').optional(),
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
  /** Where a worker serves metrics and health: the address, and the port. */
  METRICS_HOST: z.string().default(LOOPBACK),
  METRICS_PORT: port.default(9464),
  /** Where the process sends traces, as OTLP over HTTP; unset: it makes none. The names are OpenTelemetry's. */
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
  /** The mail server, as smtp://user:password@host:port or smtps://…; unset: mails go into files in MAIL_DIR. */
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_DIR: z.string().default('.data/mail'),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]{3,200}$/, 'must be one line, like Shop <shop@example.com>')
    .default('Seckill <no-reply@localhost>'),
  SECKILL_DEMO: flag.default(false),
  /** Outside the demo, each start invites this address as admin as long as there is no admin. */
  SECKILL_ADMIN_EMAIL: z.email('must be an e-mail address').max(254).optional(),
  NODE_ENV: z.string().optional(),
});

/** The name of every setting. */
export const SETTINGS: readonly string[] = Object.keys(schema.shape);

/** The provider that takes the payments. Only the sandbox exists yet; a setting that names a provider will replace this. */
const PAYMENT_PROVIDER: string = 'sandbox';

const isOn = (inngestDev: string) => !['0', 'false'].includes(inngestDev);

/** Checks rules about several variables together, also where one of them is wrong by itself. */
const checked = schema.superRefine(
  (raw, context) => {
    const problem = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    for (const other of ['PORT', 'EXECUTOR_PORT'] as const) {
      if (raw.METRICS_PORT === raw[other]) problem('METRICS_PORT', `must not be the same as ${other}`);
    }
    if (raw.ALERT_WEBHOOK_URL && !raw.ALERT_WEBHOOK_SECRET)
      problem('ALERT_WEBHOOK_SECRET', 'must be set with ALERT_WEBHOOK_URL: whsec_ and a base64 key');
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
    if (raw.SECKILL_DEMO === false && raw.ALLOW_SANDBOX_PAYMENTS === false && PAYMENT_PROVIDER === 'sandbox')
      problem(
        'ALLOW_SANDBOX_PAYMENTS',
        'must be 1 outside the demo: the only payment provider there is yet, the sandbox, moves no money',
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
const executorSchema = schema
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
        if (key.length < MIN_SECRET_LENGTH || DEFAULT_SECRETS.test(key))
          context.addIssue({
            code: 'custom',
            path: [name],
            message: `must be a random key of at least ${MIN_SECRET_LENGTH} characters where EXECUTOR_HOST is not loopback`,
          });
      }
    },
    { when: () => true },
  );

/** Reads variables by a schema. @throws Error that lists every missing or wrong one. */
function read<T>(checks: z.ZodType<T>, source: Record<string, string | undefined>): T {
  // An empty variable means "not set": shells and compose files produce them easily.
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = checks.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map(({ path: [name], code, message }) => {
      const isMissing = code === 'invalid_type' && given[String(name)] === undefined;
      return `  ${String(name)}: ${isMissing ? 'is not set' : message}`;
    });
    throw new Error(`These environment variables are missing or wrong:\n${[...new Set(lines)].join('\n')}`);
  }
  return result.data;
}

function parse(source: Record<string, string | undefined>) {
  const raw = read(checked, source);
  const approvals = raw.SECKILL_DEMO ? DEMO_APPROVALS : APPROVALS;
  return {
    port: raw.PORT,
    databaseUrl: raw.DATABASE_URL,
    /** Past the pooler, where there is one. */
    databaseDirectUrl: raw.DATABASE_DIRECT_URL ?? raw.DATABASE_URL,
    databaseReplicaUrls: raw.DATABASE_REPLICA_URLS ?? [],
    replicaMaxLagMs: raw.REPLICA_MAX_LAG_MS,
    redisUrl: raw.REDIS_URL,
    cacheRedisUrl: raw.CACHE_REDIS_URL ?? raw.REDIS_URL,
    stockReplicasAck: raw.STOCK_REPLICAS_ACK,
    /** Empty: the cache Redis alone. */
    lockRedisUrls: raw.LOCK_REDIS_URLS ?? [],
    lockAcquireTimeoutMs: raw.LOCK_ACQUIRE_TIMEOUT_MS,
    lockRetryIntervalMs: raw.LOCK_RETRY_INTERVAL_MS,
    nextAuthSecret: raw.NEXTAUTH_SECRET,
    publicUrl: raw.NEXTAUTH_URL,
    /** Whether browsers connect by https: cookies are then `Secure`. */
    isHttps: raw.NEXTAUTH_URL.startsWith('https:'),
    entrySecrets: raw.ENTRY_SECRET,
    sandboxWebhookSecret: raw.SANDBOX_WEBHOOK_SECRET,
    internalSecret: raw.INTERNAL_SECRET,
    inngest: {
      isDev: isOn(raw.INNGEST_DEV),
      baseUrl: raw.INNGEST_BASE_URL,
      eventKey: raw.INNGEST_EVENT_KEY,
      signingKey: raw.INNGEST_SIGNING_KEY,
    },
    serveOrigin: raw.INNGEST_SERVE_ORIGIN,
    executorPort: raw.EXECUTOR_PORT,
    /** Where our own executor is; undefined when Inngest runs the functions. */
    executorUrl:
      raw.EXECUTOR_PORT === undefined
        ? undefined
        : (raw.INNGEST_BASE_URL ?? `http://${LOOPBACK}:${raw.EXECUTOR_PORT}`),
    trustProxyHops: raw.TRUST_PROXY,
    webConcurrency: raw.WEB_CONCURRENCY,
    drainMs: raw.DRAIN_MS,
    hasFastPath: raw.SECKILL_FAST_LANE === 'on',
    hasPlainHttp: raw.SECKILL_PLAIN_HTTP === 'on',
    nextMemoryBytes: raw.SECKILL_NEXT_MEMORY_MB * 1024 * 1024,
    /** Threads of one web process for passwords. */
    passwordThreads: threadsOf(raw.SIGN_IN_CORES ?? availableParallelism() - 1, raw.WEB_CONCURRENCY),
    host: raw.SECKILL_HOST,
    purchaseOrigin: raw.PURCHASE_ORIGIN,
    assetOrigin: raw.ASSET_ORIGIN,
    cdnPurgeUrl: raw.CDN_PURGE_URL,
    /** Null: no CDN whose interface we know. */
    cdn:
      raw.CDN_VENDOR && raw.CDN_ZONE && raw.CDN_API_TOKEN
        ? {
            vendor: raw.CDN_VENDOR,
            zone: raw.CDN_ZONE,
            token: raw.CDN_API_TOKEN,
            apiUrl: raw.CDN_API_URL,
          }
        : null,
    backlogCap: raw.SECKILL_BACKLOG_CAP,
    /** Null: no second person is needed. */
    approvalStockUnits: orDefault(raw.APPROVAL_STOCK_UNITS, approvals.stockUnits),
    approvalRefundMinor: orDefault(raw.APPROVAL_REFUND_MINOR, approvals.refundMinor),
    /** Null in these three: they are kept for ever. */
    keepMarksDays: orDefault(raw.KEEP_MARKS_DAYS, KEPT_DAYS.marks),
    keepNoticesDays: orDefault(raw.KEEP_NOTICES_DAYS, KEPT_DAYS.notices),
    keepRiskHitsDays: orDefault(raw.KEEP_RISK_HITS_DAYS, KEPT_DAYS.riskHits),
    /** Per cent; null: load switches nothing off. */
    shedAbove: orDefault(raw.SHED_ABOVE, SHED_ABOVE),
    metricsHost: raw.METRICS_HOST,
    metricsPort: raw.METRICS_PORT,
    alertEmailTo: raw.ALERT_EMAIL_TO ?? [],
    alertWebhook:
      raw.ALERT_WEBHOOK_URL && raw.ALERT_WEBHOOK_SECRET
        ? { url: raw.ALERT_WEBHOOK_URL, secret: raw.ALERT_WEBHOOK_SECRET }
        : null,
    trace: raw.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: raw.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: parseHeaders(raw.OTEL_EXPORTER_OTLP_HEADERS),
          serviceName: raw.OTEL_SERVICE_NAME,
          share: raw.OTEL_TRACES_SAMPLER_ARG,
        }
      : null,
    smtpUrl: raw.SMTP_URL,
    mailDir: raw.MAIL_DIR,
    mailFrom: raw.MAIL_FROM,
    isDemo: raw.SECKILL_DEMO,
    adminEmail: raw.SECKILL_ADMIN_EMAIL,
  };
}

/** Whether only this machine can reach an address. */
const isLoopback = (host: string): boolean => /^(localhost|::1|127(\.\d+){3})$/.test(host);

/** Names the server of an address that has been checked, whatever user, password or database it is asked for. */
function serverOf(address: string, defaultPort: number): string {
  if (!URL.canParse(address)) return address;
  const { hostname, port } = new URL(address);
  return `${hostname.toLowerCase()}:${port || defaultPort}`;
}

/** Shares cores among processes; each has one at least. */
const threadsOf = (cores: number, processes: number): number => Math.max(1, Math.floor(cores / processes));

/** Null is a value of its own: the word `off`. */
const orDefault = (value: number | null | undefined, other: number): number | null =>
  value === undefined ? other : value;

/** Parses `name=value,…` with percent-encoded values, as OpenTelemetry defines it. */
function parseHeaders(text = ''): Record<string, string> {
  const pairs = text.split(',').filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), decodeHeader(pair.slice(at + 1))];
    }),
  );
}

function decodeHeader(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Env = ReturnType<typeof parse>;

let cached: Env | undefined;

/**
 * Returns the parsed environment.
 * @throws Error that lists every missing or wrong variable.
 */
export function env(): Env {
  cached ??= parse(process.env);
  return cached;
}

/** Parses any source; for tests and start-up checks. */
export const parseEnv = parse;

/**
 * Returns the environment of our executor, which may lack everything that only the shop needs.
 * @throws Error that lists every missing or wrong variable.
 */
export function executorEnv(source: Record<string, string | undefined> = process.env) {
  const raw = read(executorSchema, source);
  return {
    databaseUrl: raw.DATABASE_URL,
    directUrl: raw.DATABASE_DIRECT_URL,
    eventKey: raw.INNGEST_EVENT_KEY,
    signingKey: raw.INNGEST_SIGNING_KEY,
    serveOrigin: raw.INNGEST_SERVE_ORIGIN,
    host: raw.EXECUTOR_HOST,
    port: raw.EXECUTOR_PORT,
    backoffMs: raw.EXECUTOR_BACKOFF_MS,
  };
}
