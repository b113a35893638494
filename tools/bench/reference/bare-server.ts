/**
 * The yardstick for purchases: the cost of a purchase if it were nothing but node:http, ioredis and three Redis
 * commands. No token check, no limits, no replay, no order message.
 */
import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { MINIMAL_SCRIPT } from './minimal-script';

const redis = new Redis(process.argv[2] ?? '', { enableAutoPipelining: true });
redis.defineCommand('minimalPurchase', { numberOfKeys: 2, lua: MINIMAL_SCRIPT });
const minimalPurchase = (stock: string, buyers: string, user: string): Promise<number> =>
  (redis as Redis & { minimalPurchase(a: string, b: string, c: string): Promise<number> }).minimalPurchase(
    stock,
    buyers,
    user,
  );

const USER_CHARS = 22;

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
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.send?.(address.port);
});
process.on('disconnect', () => process.exit(0));
