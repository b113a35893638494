/** How the names of the product's settings begin. */
const PREFIXES = [
  'ALERT_',
  'ALLOW_',
  'APPROVAL_',
  'ASSET_ORIGIN',
  'BEACON_',
  'CACHE_REDIS_',
  'CDN_',
  'CONFIRM_AGAIN_',
  'DATABASE_',
  'DRAIN_MS',
  'ENTRY_',
  'EXECUTOR_',
  'INNGEST_',
  'INTERNAL_',
  'KEEP_',
  'LOCK_',
  'LOG_',
  'MAIL_',
  'MEDIA_',
  'METRICS_',
  'MOLLIE_',
  'NEXTAUTH_',
  'OIDC_',
  'OTEL_',
  'PAYMENT_',
  'PORT',
  'PURCHASE_ORIGIN',
  'REDIS_',
  'REPLICA_',
  'SANDBOX_',
  'SECKILL_',
  'SHED_',
  'SIGN_IN_',
  'STAFF_',
  'SMTP_',
  'STOCK_',
  'STRIPE_',
  'TRUST_PROXY',
  'WEB_CONCURRENCY',
];
/** Names a program that tests and the bench run, and is no setting of the product. */
const PROGRAM = 'INNGEST_BIN';
/** Other variables that would change how our processes run. */
const AROUND = /^(NEXT_DIST_DIR$|HOST$|NODE_ENV$|NODE_OPTIONS$|E2E_)/;

/** Tells whether a variable configures the product. Tests must not see the developer's values. @param {string} name */
export const isSetting = (name) => name !== PROGRAM && PREFIXES.some((prefix) => name.startsWith(prefix));

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Record<string, string>} [extra]
 * @returns {NodeJS.ProcessEnv} without any of our variables except `extra`.
 */
export function cleanEnv(env, extra = {}) {
  const rest = Object.entries(env).filter(([name]) => !isSetting(name) && !AROUND.test(name));
  return { ...Object.fromEntries(rest), ...extra };
}
