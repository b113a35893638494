import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './problem.mjs';
import { readJson, writeAtomically } from './write-atomically.mjs';

const hex = (bytes) => randomBytes(bytes).toString('hex');

/** An ECDSA P-256 key, as base64url of its PKCS #8. */
const signingKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'der' })
    .toString('base64url');

const GENERATORS = {
  NEXTAUTH_SECRET: () => hex(32),
  ENTRY_SECRET: () => hex(32),
  SANDBOX_WEBHOOK_SECRET: () => `whsec_${randomBytes(32).toString('base64')}`,
  INTERNAL_SECRET: () => hex(32),
  INNGEST_EVENT_KEY: () => hex(24),
  INNGEST_SIGNING_KEY: () => `signkey-prod-${hex(32)}`,
  LOG_SIGNING_KEY: signingKey,
  PUSH_KEY: signingKey,
  POSTGRES_PASSWORD: () => hex(24),
};

/** @returns {Record<keyof typeof GENERATORS, string>} a new secret for each purpose. */
export const newSecrets = () =>
  /** @type {any} */ (
    Object.fromEntries(Object.entries(GENERATORS).map(([name, generate]) => [name, generate()]))
  );

/**
 * Returns the secrets of this installation; generates them once, in a file that only its owner can read.
 * @param {string} dir data directory
 * @returns {Record<keyof typeof GENERATORS, string>}
 */
export function secrets(dir) {
  const file = join(dir, 'secrets.json');
  const kept = readJson(file);
  // New secrets would lock us out of the embedded Postgres and end every session, so this does not silently make new
  // ones.
  if (!kept && existsSync(file)) {
    throw new Problem(`${file} is damaged: restore it, or delete the whole data directory to begin anew.`);
  }
  const missing = Object.keys(GENERATORS).filter((name) => !kept?.[name]);
  if (missing.length === 0) return kept;
  const all = { ...kept, ...Object.fromEntries(missing.map((name) => [name, GENERATORS[name]()])) };
  writeAtomically(file, `${JSON.stringify(all, null, 2)}\n`, 0o600);
  return all;
}
