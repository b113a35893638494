import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSetting } from '../../scripts/infra/clean-env.mjs';

/**
 * The tests' environment, whatever the developer's shell has. The setup of integration tests adds the servers'
 * addresses; unit tests get addresses where no server listens, so that a test which connects fails.
 */
export const testEnv: Record<string, string> = {
  PORT: '3999',
  NEXTAUTH_URL: 'http://localhost:3999',
  NEXTAUTH_SECRET: 'unit-4b9f0c1d2e3f4a5b6c7d8e9f0a1b2c3d',
  ENTRY_SECRET: 'unit-entry-7f8e9d0c1b2a39485766554433221100',
  ALLOW_SANDBOX_PAYMENTS: '1',
  SANDBOX_WEBHOOK_SECRET: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  INTERNAL_SECRET: 'unit-internal-00112233445566778899aabbccddeeff',
  LOG_SIGNING_KEY:
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUCsH7u3R63_j8HK2-N7-XJ8vJ4Zrx_F0YI_e_pCM3yGhRANCAARaUGImRonC7OUhKo0TJ8l-XWSzpl_qTBhH_jC6vVqj43aQ5cQ7NPWiPjKEFjXpl_2S1QS8NxL2nYflf-D4Jcz1',
  INNGEST_DEV: '0',
  INNGEST_BASE_URL: 'http://127.0.0.1:8999',
  INNGEST_EVENT_KEY: 'unit-event-key-0123456789',
  INNGEST_SIGNING_KEY: 'signkey-test-00112233445566778899aabbccddeeff',
  INNGEST_SERVE_ORIGIN: 'http://127.0.0.1:3999',
  EXECUTOR_PORT: '8999',
  METRICS_PORT: '9999',
  SECKILL_DEMO: '1',
  DATABASE_URL: 'postgres://nobody:nobody@127.0.0.1:9/none',
  REDIS_URL: 'redis://127.0.0.1:9/0',
  MEDIA_DIR: join(tmpdir(), 'seckill-test-media'),
};

/**
 * Replaces all our variables in process.env by the tests' values: no test sees what the developer's shell has, nor what
 * another file of this process has set.
 */
export function applyTestEnv(overrides: Record<string, string> = {}): void {
  for (const name of Object.keys(process.env)) {
    if (isSetting(name)) delete process.env[name];
  }
  Object.assign(process.env, testEnv, overrides);
}
