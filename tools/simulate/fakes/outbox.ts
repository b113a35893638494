import type { Executor } from '../actors/executor';
import type { LetterRow, MessageRow } from '../stores/rows';
import type { Session } from './session';

const SEC = 1_000;
const MAX_WAIT_SEC = 60;
const isOpenReport = ({ consumer, isRepaired }: LetterRow) => consumer.startsWith('settle-') && !isRepaired;

/** Makes the Postgres half of the outboxes, over the simulated Postgres: same interface, same conditions. */
export function outboxFakes(session: Session, executor: Pick<Executor, 'openBatches'>) {
  const { store } = session;
  const { messages, letters, processed } = store;

  const recordDeadLetter: typeof import('@/lib/outbox/record-dead-letter').recordDeadLetter = (
    letter,
    client = session.db,
  ) =>
    session.run(client, `dead letter ${letter.consumer} ${letter.messageId}`, (tx) => {
      const { consumer, messageId, saleId = null, orderNo, payload, error } = letter;
      return letters.insert(tx, `${consumer} ${messageId}`, {
        id: store.nextId(),
        consumer,
        messageId,
        saleId,
        error,
        releasedAt: null,
        isRepaired: false,
        createdAt: session.now,
        orderNo: orderNo === undefined ? null : String(orderNo),
        payload: payload as Record<string, unknown>,
      });
    });

  const putMessages: typeof import('@/lib/outbox/put-message').putMessages = async (client, news) => {
    if (news.length === 0) return;
    await session.run(client, `put ${news.map(({ topic }) => topic)}`, async (tx) => {
      for (const { topic, payload } of news) {
        const id = store.nextId();
        const at = { nextAttemptAt: session.now, createdAt: session.now, sentAt: null };
        const row: MessageRow = { id, topic, payload, attempts: 0, ...at };
        await messages.insert(tx, String(id), row);
      }
    });
  };

  return {
    'lib/outbox/mark-processed': {
      markProcessed: (client, consumer, messageIds) =>
        session.run(client, `processed ${consumer} ${messageIds}`, async (tx) => {
          const fresh = new Set<string>();
          for (const id of messageIds)
            if (await processed.insert(tx, `${consumer} ${id}`, true)) fresh.add(id);
          return fresh;
        }),
    } satisfies typeof import('@/lib/outbox/mark-processed'),

    'lib/outbox/record-dead-letter': {
      recordDeadLetter,
    } satisfies typeof import('@/lib/outbox/record-dead-letter'),

    'lib/outbox/find-discarded': {
      // No staff discards dead letters here.
      findDiscarded: async () => new Set<string>(),
    } satisfies typeof import('@/lib/outbox/find-discarded'),

    'lib/outbox/report-problem': {
      RETRIED: 'retried',
      reportProblem: async (letter) =>
        (await recordDeadLetter(letter)) ||
        session.run(session.db, `letter of ${letter.messageId} is back`, async (tx) => {
          const key = `${letter.consumer} ${letter.messageId}`;
          const change = { error: letter.error, isRepaired: false };
          return (await letters.update(tx, key, ({ isRepaired }) => isRepaired, change)) !== null;
        }),
      findReported: (saleId) =>
        session.run(session.db, 'find reported', (tx) =>
          letters
            .find(tx, (letter) => letter.saleId === saleId && isOpenReport(letter))
            .flatMap(({ orderNo, payload }) =>
              orderNo === null ? [] : [{ orderNo, userId: String(payload.userId) }],
            ),
        ),
      closeRepaired: async (client, orderNos) => {
        if (orderNos.length === 0) return;
        await session.run(client, `letters of ${orderNos} repaired`, async (tx) => {
          for (const { consumer, messageId, orderNo } of letters.find(tx, isOpenReport)) {
            if (orderNo === null || !orderNos.includes(orderNo)) continue;
            await letters.update(tx, `${consumer} ${messageId}`, () => true, { isRepaired: true });
          }
        });
      },
    } satisfies typeof import('@/lib/outbox/report-problem'),

    'lib/outbox/put-message': {
      putMessages,
      putMessage: (client, topic, payload) => putMessages(client, [{ topic, payload }]),
    } satisfies Pick<typeof import('@/lib/outbox/put-message'), 'putMessage' | 'putMessages'>,

    'lib/outbox/due-messages': {
      lockDue: (client, limit, topics) =>
        session.run(client, 'lock due messages', async (tx) => {
          const isDue = ({ topic, sentAt, nextAttemptAt }: MessageRow) =>
            topics.includes(topic) && sentAt === null && nextAttemptAt <= session.now;
          const due = messages
            .find(tx, isDue)
            .sort((a, b) => a.nextAttemptAt - b.nextAttemptAt || a.id - b.id);
          const topic = due[0]?.topic;
          const free = due.filter((row) => row.topic === topic && !messages.cell(String(row.id)).owner);
          for (const { id } of free.slice(0, limit)) await tx.lock(messages, String(id));
          return free
            .slice(0, limit)
            .map((row) => ({ ...row, id: BigInt(row.id), createdAt: new Date(row.createdAt) }));
        }),
      markDueSent: async (client, ids) => {
        await session.run(client, `sent ${ids}`, async (tx) => {
          for (const id of ids) await messages.update(tx, id, () => true, { sentAt: session.now });
        });
      },
      postponeDue: async (client, ids, _error, mostAttempts) => {
        await session.run(client, `postpone ${ids}`, async (tx) => {
          for (const id of ids) {
            await messages.update(
              tx,
              id,
              () => true,
              ({ attempts }) => ({
                attempts: Math.min(attempts + 1, mostAttempts),
                nextAttemptAt: session.now + Math.min(2 ** attempts, MAX_WAIT_SEC) * SEC,
              }),
            );
          }
        });
      },
      giveUpDue: async (client, { id, topic, payload, attempts }, error) => {
        const letter = { consumer: topic, messageId: String(id), saleId: payload.saleId, payload, error };
        await recordDeadLetter({ ...letter, attempts: attempts + 1 }, client);
        await session.run(client, `give up ${id}`, (tx) => messages.delete(tx, String(id)));
      },
    } satisfies typeof import('@/lib/outbox/due-messages'),

    'lib/outbox/unreleased-dead-letters': {
      findUnreleased: (orderNos) =>
        session.run(session.db, 'find dead letters', (tx) =>
          letters
            .find(tx, ({ consumer, saleId, orderNo, payload, releasedAt, createdAt }) => {
              if (consumer !== 'create-orders' && consumer !== 'relay') return false;
              if (releasedAt !== null || !saleId || !orderNo || !payload.userId) return false;
              return orderNos === null ? createdAt < session.now - 10 * SEC : orderNos.includes(orderNo);
            })
            .slice(0, 100)
            .map(({ id, saleId, orderNo, payload }) => ({
              id: String(id),
              saleId: String(saleId),
              orderNo: String(orderNo),
              userId: String(payload.userId),
            })),
        ),
      markReleased: async (ids) => {
        await session.run(session.db, `released letters ${ids}`, async (tx) => {
          for (const { id, consumer, messageId } of letters.find(tx, () => true)) {
            if (!ids.includes(String(id))) continue;
            await letters.update(tx, `${consumer} ${messageId}`, () => true, { releasedAt: session.now });
          }
        });
      },
    } satisfies typeof import('@/lib/outbox/unreleased-dead-letters'),

    'lib/outbox/read-sent': {
      readSent: (client, saleId) =>
        session.run(client, 'read what the executor has', () => {
          const batches = executor.openBatches().filter((batch) => batch.saleId === saleId);
          return batches.flatMap(({ orders }) => orders);
        }),
    } satisfies typeof import('@/lib/outbox/read-sent'),
  };
}
