import 'server-only';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { z } from 'zod';
import { callback } from '@/lib/contract/shapes/payment';
import { env } from '@/lib/env';
import { findUnstorable } from '@/lib/http/find-unstorable';
import type { WebhookVerdict } from '../provider';

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

const webhookIdSchema = z.string().min(1).max(200);
/**
 * Checks a callback by Standard Webhooks 1.0: HMAC-SHA256 over id, time and raw body, at most 5 min old or early.
 * Checks the signature first, so it reads nothing of a forged body.
 */
export function verifyWebhook(rawBody: string, headers: Headers): WebhookVerdict {
  const given = Object.fromEntries(HEADERS.map((name) => [name, headers.get(name) ?? '']));
  try {
    new Webhook(env().sandboxWebhookSecret).verify(rawBody, given, { jsonParse: false });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { status: 'signature_invalid', detail: error.message };
  }
  const webhookId = webhookIdSchema.safeParse(given['webhook-id']);
  const payload = parse(rawBody);
  const body = callback.safeParse(payload);
  if (!webhookId.success || !body.success) {
    const issues = body.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];
    return { status: 'malformed', detail: issues.join('; ') || 'webhook-id: must have 1 to 200 characters' };
  }
  const { type, data } = body.data;
  const { paymentId, amountMinor, currency } = data;
  return {
    status: 'authentic',
    event: { webhookId: webhookId.data, type, paymentId, amountMinor, currency, payload: body.data },
  };
}

function parse(text: string): unknown {
  try {
    const payload: unknown = JSON.parse(text);
    return findUnstorable(payload) ? undefined : payload;
  } catch {
    return undefined;
  }
}
