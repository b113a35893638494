/** Variables that configure the product. Tests must not see the developer's values. */
const OURS =
  /^(SECKILL_|INNGEST_|NEXTAUTH_|NEXT_DIST_DIR$|DATABASE_|REPLICA_|REDIS_URL$|CACHE_REDIS_URL$|LOCK_|STOCK_|ENTRY_SECRET$|SANDBOX_|CDN_PURGE_URL$|INTERNAL_SECRET$|EXECUTOR_|METRICS_|ALERT_|ALLOW_|APPROVAL_|OTEL_|SMTP_URL$|MAIL_|TRUST_PROXY$|WEB_CONCURRENCY$|DRAIN_MS$|PORT$|HOST$|NODE_ENV$|NODE_OPTIONS$|E2E_)/;

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Record<string, string>} [extra]
 * @returns {NodeJS.ProcessEnv} without any of our variables except `extra`.
 */
export function cleanEnv(env, extra = {}) {
  const rest = Object.entries(env).filter(([name]) => !OURS.test(name));
  return { ...Object.fromEntries(rest), ...extra };
}
