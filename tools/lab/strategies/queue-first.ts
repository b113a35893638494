import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { databaseContestant } from '../support/database-contestant';
import { QUEUE_KEY, type Reply, type Request, startConsumer } from '../support/queue-consumer';
import { closeRedis, openRedis } from '../support/redis-contestant';
import type { Attempt, Contestant, Stores, Strategy } from '../types';

function queueContestant(stores: Stores): Contestant {
  const [redis, blocking] = [openRedis(stores.redisUrl), openRedis(stores.redisUrl)];
  const pool = new pg.Pool({ connectionString: stores.databaseUrl, max: 1 });
  const database = databaseContestant(stores, () => Promise.reject(new Error('only the consumer sells')));
  const replyTo = `lab:answers:${randomUUID()}`;
  const waiting = new Map<number, (attempt: Attempt) => void>();
  let count = 0;
  let stopConsumer = async () => {};
  return {
    async setUp(units) {
      await redis.unlink(QUEUE_KEY);
      await database.setUp(units);
      stopConsumer = startConsumer(blocking, pool);
    },
    async connect() {
      await redis.ping();
      await blocking.subscribe(replyTo);
      blocking.on('message', (_channel, text) => {
        for (const { id, isAccepted, stockAfter } of JSON.parse(text) as Reply[]) {
          waiting.get(id)?.({ answer: isAccepted ? 'accepted' : 'sold_out', stockAfter });
          waiting.delete(id);
        }
      });
    },
    attempt(userId) {
      const request: Request = { replyTo, id: ++count, userId };
      return new Promise((resolve, reject) => {
        waiting.set(request.id, resolve);
        redis.rpush(QUEUE_KEY, JSON.stringify(request)).catch(reject);
      });
    },
    readOutcome: database.readOutcome,
    async tearDown() {
      await stopConsumer();
      await Promise.all([closeRedis(redis), closeRedis(blocking), pool.end(), database.tearDown()]);
    },
  };
}

/**
 * Queue first: one consumer takes requests from a queue in batches, reads the stock, sells and answers. Its
 * read-then-update is safe because only the consumer writes. Right, and easy on the database. Its price: all buyers
 * queue, even the 95 % who get nothing; answers come late; and one consumer limits a sale's speed.
 */
export const queueFirst: Strategy = {
  name: 'queue-first',
  title: 'Queue first, one consumer',
  source: 'AWS Builders’ Library, "Avoiding insurmountable queue backlogs", for the price of it',
  isCorrect: true,
  processes: 2,
  create: queueContestant,
};
