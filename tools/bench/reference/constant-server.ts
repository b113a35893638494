/** The yardstick for refusals: node:http that answers every request with a constant as large as our refusal. */
import { createServer } from 'node:http';
import { answerParent } from '@/tools/harness/asked-process';
import { listen } from './listen';

answerParent(({ body }: { body: string }) => {
  const reply = Buffer.from(body);
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'content-length': reply.length,
  };
  const server = createServer((_request, response) => {
    response.writeHead(409, headers);
    response.end(reply);
  });
  return listen(server);
});
