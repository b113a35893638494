import { z } from 'zod';

/** The one place that reads process.env. Parsed once, at first use; every problem is named in one message. */

const MIN_SECRET_LENGTH = 32;
const DEFAULT_SECRETS = /^(secret|change-?me|password|default|test|dev)/i;

const port = z.coerce.number().int().min(1).max(65_535);
const secret = z
  .string()
  .min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`)
  .refine((value) => !DEFAULT_SECRETS.test(value), 'looks like a default; generate a random one');
const flag = z.enum(['0', '1', 'true', 'false', '']).transform((value) => value === '1' || value === 'true');
const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    message: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const schema = z.object({
  PORT: port.default(3000),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  REDIS_URL: url('redis:', 'rediss:'),
  CACHE_REDIS_URL: url('redis:', 'rediss:').optional(),
  NEXTAUTH_SECRET: secret,
  NEXTAUTH_URL: url('http:', 'https:').default('http://localhost:3000'),
  /** Two live keys at most, newest first, separated by a comma: the first signs, both verify. */
  ENTRY_SECRET: z
    .string()
    .transform((value) => value.split(',').map((key) => key.trim()))
    .pipe(z.array(secret).min(1).max(2)),
  SANDBOX_WEBHOOK_SECRET: z.string().startsWith('whsec_').min(MIN_SECRET_LENGTH),
  /** Lets the worker ask the web process to renew a page; never leaves the machine or the private network. */
  INTERNAL_SECRET: secret,
  INNGEST_DEV: z.string().default('0'),
  INNGEST_BASE_URL: url('http:', 'https:').optional(),
  INNGEST_EVENT_KEY: z.string().min(1),
  INNGEST_SIGNING_KEY: z
    .string()
    .regex(/^signkey-[a-z0-9]+-(?:[0-9a-f]{2})+$/i, 'must be signkey-<env>-<hex digits in pairs>'),
  INNGEST_SERVE_ORIGIN: url('http:', 'https:').default('http://127.0.0.1:3000'),
  /** Port of the embedded executor; unset when Inngest runs elsewhere. */
  EXECUTOR_PORT: port.optional(),
  /** Waits between attempts of the embedded executor, in ms, separated by commas. */
  EXECUTOR_BACKOFF_MS: z
    .string()
    .regex(/^\d+(,\d+)*$/, 'must be milliseconds separated by commas')
    .transform((value) => value.split(',').map(Number))
    .optional(),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  WEB_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(1),
  /** `off`: Next answers everything; for comparing the two, and should the fast lane ever misbehave. */
  SECKILL_FAST_LANE: z.enum(['on', 'off']).default('on'),
  /** The address the web process listens on; all of them when unset. */
  SECKILL_HOST: z.string().optional(),
  /** Told by POST `{paths}` which pages changed; without one there is no CDN to tell. */
  CDN_PURGE_URL: url('http:', 'https:').optional(),
  /** Accepted purchases of one sale that may wait for the executor; above it new ones are refused with 503. */
  SECKILL_BACKLOG_CAP: z.coerce.number().int().min(1).max(10_000_000).default(100_000),
  /** Adding more units than this to a sale, within a day, takes a second person; unset: never. */
  APPROVAL_STOCK_UNITS: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
  /** Sending back more than this, in minor units of the order's currency, takes a second person; unset: never. */
  APPROVAL_REFUND_MINOR: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  METRICS_PORT: port.default(9464),
  /** Where mails go, as smtp://user:password@host:port or smtps://…; unset: into files in MAIL_DIR. */
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_DIR: z.string().default('.data/mail'),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]{3,200}$/, 'must be one line, like Shop <shop@example.com>')
    .default('Seckill <no-reply@localhost>'),
  SECKILL_DEMO: flag.default(false),
});

function parse(source: Record<string, string | undefined>) {
  // An empty variable means "not set": shells and compose files produce them easily.
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path[0]?.toString()}: ${issue.message}`);
    throw new Error(`These environment variables are missing or wrong:\n${lines.join('\n')}`);
  }
  const raw = result.data;
  return {
    port: raw.PORT,
    databaseUrl: raw.DATABASE_URL,
    redisUrl: raw.REDIS_URL,
    cacheRedisUrl: raw.CACHE_REDIS_URL ?? raw.REDIS_URL,
    nextAuthSecret: raw.NEXTAUTH_SECRET,
    publicUrl: raw.NEXTAUTH_URL,
    entrySecrets: raw.ENTRY_SECRET,
    sandboxWebhookSecret: raw.SANDBOX_WEBHOOK_SECRET,
    internalSecret: raw.INTERNAL_SECRET,
    inngest: {
      isDev: raw.INNGEST_DEV !== '0',
      baseUrl: raw.INNGEST_BASE_URL,
      eventKey: raw.INNGEST_EVENT_KEY,
      signingKey: raw.INNGEST_SIGNING_KEY,
    },
    serveOrigin: raw.INNGEST_SERVE_ORIGIN,
    executorPort: raw.EXECUTOR_PORT,
    executorBackoffMs: raw.EXECUTOR_BACKOFF_MS,
    trustProxyHops: raw.TRUST_PROXY,
    webConcurrency: raw.WEB_CONCURRENCY,
    hasFastLane: raw.SECKILL_FAST_LANE === 'on',
    host: raw.SECKILL_HOST,
    cdnPurgeUrl: raw.CDN_PURGE_URL,
    backlogCap: raw.SECKILL_BACKLOG_CAP,
    approvalStockUnits: raw.APPROVAL_STOCK_UNITS,
    approvalRefundMinor: raw.APPROVAL_REFUND_MINOR,
    metricsPort: raw.METRICS_PORT,
    smtpUrl: raw.SMTP_URL,
    mailDir: raw.MAIL_DIR,
    mailFrom: raw.MAIL_FROM,
    isDemo: raw.SECKILL_DEMO,
  };
}

export type Env = ReturnType<typeof parse>;

let cached: Env | undefined;

/**
 * The parsed environment.
 * @throws Error that lists every missing or wrong variable.
 */
export function env(): Env {
  cached ??= parse(process.env);
  return cached;
}

/** Parses any source; for tests and for start-up checks. */
export const parseEnv = parse;
