import 'server-only';
import { z } from 'zod';
import { toLocale } from '@/lib/account/user-locale';
import { type Breaker, createBreaker } from '@/lib/breaker/create-breaker';
import { SALE_NOTICE_KINDS } from '@/lib/contract/words/notice';
import { db } from '@/lib/db/client';
import type { SaleNotice } from '@/lib/notify/types';
import { type ConsumedMessage, isMessagesFault, type MessageConsumer } from '@/lib/outbox/consume-messages';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { isOn } from '@/lib/switchboard/is-on';
import { mailNotice } from '../order/mail-notice';

const BATCH = 100;
/** Fewer than mails about orders have: those go out first. */
const MAILS_AT_A_TIME = 2;
/** A mail may take 20 s. One that begins this early is done before its claim of 60 s ends. */
const START_WITHIN_MS = 30_000;

const payloadSchema = z.object({
  kind: z.enum(SALE_NOTICE_KINDS),
  key: z.string().min(1).max(200),
  saleId: z.string().min(1),
  userId: z.string().min(1),
  place: z.coerce.number().int().min(1).nullable().default(null),
});

/**
 * Creates the consumer that mails those who wait in a sale. It has messages, loop and breaker of its own, so that a mail to
 * somebody who has something to pay never stands behind 200,000 others. While notices are switched off, its messages wait.
 * @param send sends one mail; a test puts a failing one in its place
 */
export function createCrowdMailConsumer(send: (notice: SaleNotice) => Promise<void> = mailNotice): {
  consumers: MessageConsumer[];
  breakers: Breaker[];
} {
  const breaker = createBreaker({ service: 'crowd-mail', isFault: (error) => !isMessagesFault(error) });
  const mail = async (notice: SaleNotice | MessageRefused | undefined) => {
    if (!notice || notice instanceof MessageRefused) throw notice ?? new MessageRefused('of another batch');
    await send(notice);
  };
  const consumer: MessageConsumer = {
    topic: 'crowd-mail',
    batch: BATCH,
    concurrency: MAILS_AT_A_TIME,
    startWithinMs: START_WITHIN_MS,
    gate: {
      get admits() {
        return isOn('notices') ? breaker.admits : 'none';
      },
      run: breaker.run,
    },
    deliver: async (messages) => {
      for (const notice of (await readSaleNotices(messages)).values()) await mail(notice);
    },
    prepare: async (messages) => {
      const notices = await readSaleNotices(messages);
      return ({ id }) => mail(notices.get(id));
    },
  };
  return { consumers: [consumer], breakers: [breaker] };
}

type Facts = {
  userId: string;
  saleId: string;
  email: string;
  locale: string;
  saleTitle: string;
  saleSlug: string;
};

/** Builds the mails that messages ask for, by the message's id: or why there is none. */
async function readSaleNotices(
  messages: readonly ConsumedMessage[],
): Promise<Map<string, SaleNotice | MessageRefused>> {
  const asked = messages.map(({ id, payload }) => ({ id, parsed: payloadSchema.safeParse(payload) }));
  const good = asked.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : []));
  const rows = await db().$queryRaw<Facts[]>`
    SELECT DISTINCT u.id AS "userId", s.id AS "saleId", u.email, u.locale, s.title AS "saleTitle", s.slug AS "saleSlug"
    FROM unnest(${good.map(({ userId }) => userId)}::text[], ${good.map(({ saleId }) => saleId)}::text[]) AS a (user_id, sale_id)
    JOIN users u ON u.id = a.user_id JOIN sales s ON s.id = a.sale_id`;
  const facts = new Map(rows.map((row) => [`${row.saleId} ${row.userId}`, row]));
  return new Map(
    asked.map(({ id, parsed }): [string, SaleNotice | MessageRefused] => {
      if (!parsed.success) return [id, new MessageRefused(`message ${id}: ${parsed.error.message}`)];
      const { saleId, userId, ...rest } = parsed.data;
      const found = facts.get(`${saleId} ${userId}`);
      if (!found) return [id, new MessageRefused(`there is no sale ${saleId}, or no user ${userId}`)];
      const { email, locale, saleTitle, saleSlug } = found;
      return [id, { ...rest, userId, email, locale: toLocale(locale), saleTitle, saleSlug }];
    }),
  );
}
