import { availableParallelism } from 'node:os';
import type { z } from 'zod';
import { checked, executorSchema, isOn, isTestKey, LOOPBACK, patienceSchema } from './settings-schema';

/** The only place that reads process.env. Parses it once, at first use; one message names every problem. */

/**
 * Above these thresholds two people have to agree, unless the environment sets others. In the demo one person plays
 * all parts.
 */
const APPROVALS = { stockUnits: 1_000, refundMinor: 100_000 };
const DEMO_APPROVALS = { stockUnits: 10_000, refundMinor: 1_000_000 };
/** How long what is needed for a while only is kept, in days, unless the environment says otherwise. */
const KEPT_DAYS = { marks: 30, notices: 365, riskHits: 90, addresses: 180 };
/** Staff are asked again who they are after so long, unless the environment says otherwise. */
const CONFIRM_AGAIN_MINUTES = 15;
/** How busy a web process may be before side features go, in per cent, unless the environment says otherwise. */
const SHED_ABOVE = 90;

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

type Raw = z.output<typeof checked>;

/** The providers of payments. A company without keys is null. */
const paymentsOf = (raw: Raw) => ({
  paymentProvider: raw.PAYMENT_PROVIDER,
  stripe:
    raw.STRIPE_SECRET_KEY && raw.STRIPE_WEBHOOK_SECRET
      ? {
          secretKey: raw.STRIPE_SECRET_KEY,
          webhookSecret: raw.STRIPE_WEBHOOK_SECRET,
          apiUrl: raw.STRIPE_API_URL,
          isLive: !isTestKey(raw.STRIPE_SECRET_KEY),
        }
      : null,
  mollie: raw.MOLLIE_API_KEY
    ? {
        apiKey: raw.MOLLIE_API_KEY,
        apiUrl: raw.MOLLIE_API_URL,
        isLive: !isTestKey(raw.MOLLIE_API_KEY),
      }
    : null,
});

/** The executor of functions: Inngest, or our own. */
const inngestOf = (raw: Raw) => ({
  inngest: {
    isDev: isOn(raw.INNGEST_DEV),
    baseUrl: raw.INNGEST_BASE_URL,
    eventKey: raw.INNGEST_EVENT_KEY,
    signingKey: raw.INNGEST_SIGNING_KEY,
  },
  serveOrigin: raw.INNGEST_SERVE_ORIGIN,
  executorPort: raw.EXECUTOR_PORT,
  /** Address of our own executor; undefined when Inngest runs the functions. */
  executorUrl:
    raw.EXECUTOR_PORT === undefined
      ? undefined
      : (raw.INNGEST_BASE_URL ?? `http://${LOOPBACK}:${raw.EXECUTOR_PORT}`),
});

/** The CDN in front of the shop. */
const cdnOf = (raw: Raw) => ({
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
});

/** Metrics, alerts, heads of the decision logs, traces: where they go. */
const watchersOf = (raw: Raw) => ({
  metricsHost: raw.METRICS_HOST,
  metricsPort: raw.METRICS_PORT,
  alertEmailTo: raw.ALERT_EMAIL_TO ?? [],
  alertWebhook:
    raw.ALERT_WEBHOOK_URL && raw.ALERT_WEBHOOK_SECRET
      ? { url: raw.ALERT_WEBHOOK_URL, secret: raw.ALERT_WEBHOOK_SECRET }
      : null,
  logSigningKey: raw.LOG_SIGNING_KEY,
  logWebhook:
    raw.LOG_WEBHOOK_URL && raw.LOG_WEBHOOK_SECRET
      ? { url: raw.LOG_WEBHOOK_URL, secret: raw.LOG_WEBHOOK_SECRET }
      : null,
  trace: raw.OTEL_EXPORTER_OTLP_ENDPOINT
    ? {
        endpoint: raw.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: parseHeaders(raw.OTEL_EXPORTER_OTLP_HEADERS),
        serviceName: raw.OTEL_SERVICE_NAME,
        share: raw.OTEL_TRACES_SAMPLER_ARG,
      }
    : null,
});

/** The server that signs people in by OpenID Connect. */
const openIdOf = (raw: Raw) => ({
  /** Null: no other server signs people in. */
  openId:
    raw.OIDC_ISSUER && raw.OIDC_CLIENT_ID && raw.OIDC_CLIENT_SECRET && raw.OIDC_NAME
      ? {
          issuer: raw.OIDC_ISSUER,
          clientId: raw.OIDC_CLIENT_ID,
          clientSecret: raw.OIDC_CLIENT_SECRET,
          name: raw.OIDC_NAME,
        }
      : null,
});

/** The bucket of uploaded pictures. */
const bucketOf = (raw: Raw) => ({
  /** Null: they are in `mediaDir`. */
  mediaBucket:
    raw.MEDIA_BUCKET && raw.MEDIA_BUCKET_REGION && raw.MEDIA_BUCKET_KEY_ID && raw.MEDIA_BUCKET_SECRET
      ? {
          name: raw.MEDIA_BUCKET,
          region: raw.MEDIA_BUCKET_REGION,
          endpoint: raw.MEDIA_BUCKET_ENDPOINT,
          keyId: raw.MEDIA_BUCKET_KEY_ID,
          secret: raw.MEDIA_BUCKET_SECRET,
          isPathStyle: raw.MEDIA_BUCKET_PATH_STYLE,
        }
      : null,
});

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
    nextAuthSecrets: raw.NEXTAUTH_SECRET,
    publicUrl: raw.NEXTAUTH_URL,
    /** True if browsers connect by https: cookies are then `Secure`. */
    isHttps: raw.NEXTAUTH_URL.startsWith('https:'),
    entrySecrets: raw.ENTRY_SECRET,
    sandboxWebhookSecret: raw.SANDBOX_WEBHOOK_SECRET,
    /** Money may be paid that nobody has. */
    allowsSandbox: raw.SECKILL_DEMO || raw.ALLOW_SANDBOX_PAYMENTS,
    ...paymentsOf(raw),
    internalSecrets: raw.INTERNAL_SECRET,
    ...inngestOf(raw),
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
    ...cdnOf(raw),
    beaconUrl: raw.BEACON_URL,
    backlogCap: raw.SECKILL_BACKLOG_CAP,
    /** Null: no second person is needed. */
    approvalStockUnits: orDefault(raw.APPROVAL_STOCK_UNITS, approvals.stockUnits),
    approvalRefundMinor: orDefault(raw.APPROVAL_REFUND_MINOR, approvals.refundMinor),
    /** Null in these four: they are kept for ever. */
    keepMarksDays: orDefault(raw.KEEP_MARKS_DAYS, KEPT_DAYS.marks),
    keepNoticesDays: orDefault(raw.KEEP_NOTICES_DAYS, KEPT_DAYS.notices),
    keepRiskHitsDays: orDefault(raw.KEEP_RISK_HITS_DAYS, KEPT_DAYS.riskHits),
    keepAddressesDays: orDefault(raw.KEEP_ADDRESSES_DAYS, KEPT_DAYS.addresses),
    /** Per cent; null: load switches nothing off. */
    shedAbove: orDefault(raw.SHED_ABOVE, SHED_ABOVE),
    ...watchersOf(raw),
    smtpUrl: raw.SMTP_URL,
    mailDir: raw.MAIL_DIR,
    mediaDir: raw.MEDIA_DIR,
    ...bucketOf(raw),
    mailFrom: raw.MAIL_FROM,
    isDemo: raw.SECKILL_DEMO,
    /** 0: staff are not asked again. */
    confirmAgainMs: (raw.CONFIRM_AGAIN_MINUTES ?? (raw.SECKILL_DEMO ? 0 : CONFIRM_AGAIN_MINUTES)) * 60_000,
    isStaffFactorRequired: raw.STAFF_SECOND_FACTOR ?? !raw.SECKILL_DEMO,
    adminEmail: raw.SECKILL_ADMIN_EMAIL,
    ...openIdOf(raw),
  };
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

export type Env = ReturnType<typeof parse>;

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

/** Parses what the limits of `lib/time-limits.ts` are multiplied by. */
export const parsePatience = (source: Record<string, string | undefined>): number =>
  read(patienceSchema, source).SECKILL_PATIENCE;

let cachedPatience: number | undefined;

/** Returns that factor. It is read by itself: some processes wait for a server and lack the shop's other settings. */
export function patience(): number {
  cachedPatience ??= parsePatience(process.env);
  return cachedPatience;
}

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
