import 'server-only';
import type { Setup } from '@/lib/contract/shapes/preflight';
import { env } from '@/lib/env';
import { checkPages } from './check-pages';
import { checkRunning } from './check-parts';
import { checkShop } from './check-shop';
import { isStopping } from './make-check';

/**
 * Checks everything that a shop needs before it goes live: its settings, staff and backups, and the parts that the
 * checks before a sale ask for, too. @throws connection errors
 */
export async function readSetup(): Promise<Setup> {
  const [shop, running, page] = await Promise.all([checkShop(), checkRunning('stop'), checkPages(['/'])]);
  const parts = [...running, page].map((check) => ({ ...check, found: null }));
  const checks = [...shop, ...parts];
  return {
    ok: !checks.some(isStopping),
    checks,
    trials: env().alertWebhook ? ['mail', 'alert_webhook'] : ['mail'],
  };
}
