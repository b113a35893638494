import 'server-only';
import webPush from 'web-push';
import type { PushMessage } from '@/lib/contract/shapes/push';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { guardedSend } from '@/lib/outbox/send-guarded';
import { sayNotice } from '../say-notice';
import type { Notice, SaleNotice } from '../types';
import { pushKey } from './push-key';

/** A browser to be told of a notice. */
export type Push = {
  subscription: { id: string; endpoint: string; p256dh: string; auth: string };
  notice: Notice | SaleNotice;
  timeZone: string | null;
};

const TIMEOUT_MS = 5_000;
const DAY_SEC = 86_400;
/** A push service takes 4,096 bytes at least, sealed (RFC 8030, 7.2). */
const MAX_TEXT = 500;
/** There is no such subscription any more, or it was made for another key of the shop. */
const GONE = new Set([401, 403, 404, 410]);
const LATER = new Set([408, 425, 429]);

/**
 * Tells one browser of a notice, sealed for it (RFC 8291). A subscription that its push service does not know any more is
 * deleted, and so is one whose address must not be asked. What a service refuses for another reason is logged and let be.
 * @throws where the service can't take it now
 */
export async function sendPush({ subscription, notice, timeZone }: Push): Promise<void> {
  const key = pushKey();
  if (!key) return;
  const { publicUrl, pushPrivate } = env();
  const { subject, text, link } = sayNotice(notice, publicUrl, timeZone);
  const message: PushMessage = {
    title: subject,
    body: text.slice(0, MAX_TEXT),
    url: link.url,
    tag: notice.key,
    lang: notice.locale,
  };
  const { id, endpoint, p256dh, auth } = subscription;
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message),
    { vapidDetails: { subject: contact(), ...key }, TTL: lastsSec(notice), urgency: 'high' },
  );
  const send = guardedSend({ allowsPrivate: pushPrivate, timeoutMs: TIMEOUT_MS });
  const status = await unlessRefused(() => send(endpoint, headers, Buffer.from(body)));
  if (status >= 200 && status < 300) return;
  if (status >= 500 || LATER.has(status)) throw new Error(`the push service answered ${status}`);
  if (!GONE.has(status)) return log.warn({ service: new URL(endpoint).host, status }, 'push message refused');
  await db().$executeRaw`DELETE FROM push_subscriptions WHERE id = ${id} AND endpoint = ${endpoint}`;
}

/** Whom a push service may write to about the messages (RFC 8292, 2.1): plain http is no address of a shop. */
function contact(): string {
  const { publicUrl, isHttps, mailFrom } = env();
  return isHttps ? publicUrl : `mailto:${/<(.+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
}

/** A notice of something to pay says nothing after that time. */
function lastsSec(notice: Push['notice']): number {
  if (!('payBy' in notice)) return DAY_SEC;
  const left = Math.ceil((notice.payBy - Date.now()) / 1_000);
  return left > 0 ? Math.min(left, DAY_SEC) : DAY_SEC;
}

/** An address that must not be asked counts as gone. */
async function unlessRefused(send: () => Promise<number>): Promise<number> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof MessageRefused) return 410;
    throw error;
  }
}
