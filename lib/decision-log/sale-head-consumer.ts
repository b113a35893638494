import 'server-only';
import { type LogHead, logHead } from '@/lib/contract/shapes/decision-log';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import type { ConsumedMessage, MessageConsumer } from '@/lib/outbox/consume-messages';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { postWebhook, type Send } from '@/lib/outbox/post-webhook';
import { guardedSend } from '@/lib/outbox/send-guarded';
import { parseJson } from './proof/parse-json';
import { saleHeadSecret } from './sale-head-secret';
import { createTurns, type Turns } from './turns';

/** Side by side, so that whoever waits for a slow address holds up one of them only. */
const LANES = 4;

/** Every merchant's address is another service, so no breaker stands before all of them. */
const OPEN = { admits: 'all' as const, run: <T>(work: () => Promise<T>) => work() };

/**
 * Creates the consumers that send signed heads to the addresses of their sales. A sale whose address is away or slow
 * is asked once in ten seconds; of the heads that wait for it meanwhile only the newest is sent, which covers all
 * before it.
 * @param send for tests
 */
export function createSaleHeadConsumers(send?: Send): MessageConsumer[] {
  const turns = createTurns();
  const consumer: MessageConsumer = {
    topic: 'sale-head',
    batch: 2,
    concurrency: 2,
    gate: OPEN,
    deliver: async (messages) => {
      for (const message of messages) await deliver(message, turns, send);
    },
  };
  return Array.from({ length: LANES }, () => consumer);
}

async function deliver({ payload, attempts }: ConsumedMessage, turns: Turns, given?: Send): Promise<void> {
  const read = logHead.safeParse(parseJson(payload.head ?? ''));
  if (!read.success) throw new MessageRefused(`not a head: ${read.error.message}`);
  const head = read.data;
  const row = await db().sale.findUnique({ where: { id: head.sale }, select: { logWebhookUrl: true } });
  const [url, secret] = [row?.logWebhookUrl, saleHeadSecret(head.sale)];
  if (!url || !secret)
    throw new MessageRefused('the sale has no address, or LOG_SIGNING_KEY is not set any more');
  if (attempts > 1 && (await isOutdated(head))) return;
  const send = given ?? guardedSend({ allowsPrivate: env().saleWebhookPrivate });
  const id = `head_${head.sale}_${head.size}${head.final ? '_final' : ''}`;
  const body = JSON.stringify({ type: 'log.head', timestamp: new Date(head.at).toISOString(), data: head });
  await turns.take(head.sale, new URL(url).host, () => postWebhook({ url, secret }, id, body, 'heads', send));
}

/** Tells whether the sale has a newer head, which has a message of its own. */
async function isOutdated({ sale, size }: LogHead): Promise<boolean> {
  const newer = await db().decisionHead.findFirst({
    where: { saleId: sale, size: { gt: size } },
    select: { saleId: true },
  });
  return newer !== null;
}
