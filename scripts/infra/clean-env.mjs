/** The product's settings, by how their names begin. */
const SETTINGS =
  /^(SECKILL_|INNGEST_|NEXTAUTH_|DATABASE_|REPLICA_|REDIS_URL$|CACHE_REDIS_URL$|LOCK_|STOCK_|ENTRY_SECRET$|SANDBOX_|CDN_PURGE_URL$|INTERNAL_SECRET$|EXECUTOR_|METRICS_|ALERT_|ALLOW_|APPROVAL_|KEEP_|OTEL_|SMTP_URL$|MAIL_|TRUST_PROXY$|WEB_CONCURRENCY$|SIGN_IN_|PORT$)/;
/** Names a program that tests and the bench run, and is no setting of the product. */
const PROGRAM = 'INNGEST_BIN';
/** What else would change how our processes run. */
const AROUND = /^(NEXT_DIST_DIR$|HOST$|NODE_ENV$|NODE_OPTIONS$|E2E_)/;

/** Tells whether a variable configures the product. Tests must not see the developer's values. @param {string} name */
export const isSetting = (name) => SETTINGS.test(name) && name !== PROGRAM;

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Record<string, string>} [extra]
 * @returns {NodeJS.ProcessEnv} without any of our variables except `extra`.
 */
export function cleanEnv(env, extra = {}) {
  const rest = Object.entries(env).filter(([name]) => !isSetting(name) && !AROUND.test(name));
  return { ...Object.fromEntries(rest), ...extra };
}
