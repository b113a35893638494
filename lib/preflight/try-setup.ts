import 'server-only';
import type { CurrentUser } from '@/lib/account/types';
import type { SetupTrialResult } from '@/lib/contract/shapes/preflight';
import type { SetupTrial } from '@/lib/contract/words/preflight';
import { env } from '@/lib/env';
import { cutText } from '@/lib/human-text';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import { postWebhook } from '@/lib/outbox/post-webhook';

const MOST_DETAIL = 300;

/** Sends a mail to a user, or calls the webhook of alerts. @returns null: there is no such webhook */
export async function trySetup(user: CurrentUser, what: SetupTrial): Promise<SetupTrialResult | null> {
  return what === 'mail' ? tryMail(user) : tryWebhook(user);
}

function tryMail({ userId, email, locale }: CurrentUser): Promise<SetupTrialResult> {
  const { smtpUrl, publicUrl } = env();
  const words = sayAccountMail('setupTrial', locale, publicUrl);
  return attempt(email, smtpUrl === undefined ? 'written' : 'sent', () =>
    deliverMail({ key: `setupTrial-${userId}-${Date.now()}`, email, ...words }),
  );
}

async function tryWebhook({ userId }: CurrentUser): Promise<SetupTrialResult | null> {
  const target = env().alertWebhook;
  if (!target) return null;
  const timestamp = new Date().toISOString();
  const body = JSON.stringify({ type: 'webhook.test', timestamp, data: {} });
  return attempt(new URL(target.url).host, 'sent', () =>
    postWebhook(target, `alert_test_${userId}_${Date.parse(timestamp)}`, body, 'alerts'),
  );
}

async function attempt(
  to: string,
  outcome: SetupTrialResult['outcome'],
  act: () => Promise<void>,
): Promise<SetupTrialResult> {
  try {
    await act();
    return { outcome, to, detail: null };
  } catch (error) {
    return { outcome: 'failed', to, detail: cutText(reasonOf(error), MOST_DETAIL) };
  }
}

/** `fetch` puts the reason into the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
