/**
 * The yardstick for purchases: the cost of a purchase if it were nothing but node:http, ioredis and three Redis
 * commands. No token check, no limits, no replay, no order message.
 */
import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { answerParent } from '@/tools/harness/asked-process';
import { listen } from './listen';
import { MINIMAL_SCRIPT } from './minimal-script';

const USER_CHARS = 22;

answerParent(({ redisUrl }: { redisUrl: string }) => {
  const redis = new Redis(redisUrl, { enableAutoPipelining: true });
  redis.defineCommand('minimalPurchase', { numberOfKeys: 2, lua: MINIMAL_SCRIPT });
  const minimalPurchase = (stock: string, buyers: string, user: string): Promise<number> =>
    (redis as Redis & { minimalPurchase(a: string, b: string, c: string): Promise<number> }).minimalPurchase(
      stock,
      buyers,
      user,
    );
  const server = createServer((request, response) => {
    // Any short value that differs from user to user will do.
    const user = String(request.headers['x-entry-token'] ?? '').slice(-USER_CHARS);
    minimalPurchase('bare:{1}:stock', 'bare:{1}:buyers', user).then(
      (left) => {
        const body = JSON.stringify({ left });
        response.writeHead(left < 0 ? 409 : 202, {
          'content-type': 'application/json',
          'content-length': body.length,
        });
        response.end(body);
      },
      () => {
        response.writeHead(503, { 'content-length': 0 });
        response.end();
      },
    );
  });
  return listen(server);
});
