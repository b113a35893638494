import { join } from 'node:path';
import { readJson, writeAtomically } from './write-atomically.mjs';

/** The variables our commands need to talk to the running product; the file holds nothing else of a shell's environment. */
const OURS =
  /^(PORT|DATABASE_URL|REDIS_URL|CACHE_REDIS_URL|LOCK_\w+|ENTRY_SECRET|SANDBOX_WEBHOOK_SECRET|STRIPE_\w+|MOLLIE_\w+|PAYMENT_PROVIDER|ALLOW_SANDBOX_PAYMENTS|INTERNAL_SECRET|METRICS_(HOST|PORT)|MAIL_DIR|MEDIA_\w+|EXECUTOR_PORT|TRUST_PROXY|SMTP_URL|ALERT_\w+|APPROVAL_\w+|LOG_SIGNING_KEY|NEXTAUTH_(SECRET|URL)|INNGEST_\w+|OIDC_\w+|SECKILL_DEMO)$/;

const fileIn = (dir) => join(dir, 'runtime.json');

/**
 * Writes the settings of the product started from this data directory to a file, for commands in another shell, such
 * as `npm run verify`. Contains secrets: only its owner can read it.
 * @param {string} dir data directory @param {NodeJS.ProcessEnv} settings
 */
export function writeRuntime(dir, settings) {
  const env = Object.fromEntries(Object.entries(settings).filter(([name]) => OURS.test(name)));
  writeAtomically(fileIn(dir), `${JSON.stringify({ env }, null, 2)}\n`, 0o600);
}

/** @param {string} dir data directory @returns {Record<string, string>} the settings, none if there was no start. */
export function readRuntime(dir) {
  return readJson(fileIn(dir))?.env ?? {};
}
