/** The yardstick for refusals: node:http that answers every request with a constant as large as our refusal. */
import { createServer } from 'node:http';

const [, , status = '409', body = ''] = process.argv;
const reply = Buffer.from(body);
const headers = {
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
  'content-length': reply.length,
};

const server = createServer((_request, response) => {
  response.writeHead(Number(status), headers);
  response.end(reply);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.send?.(address.port);
});
process.on('disconnect', () => process.exit(0));
