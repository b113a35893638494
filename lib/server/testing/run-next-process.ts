/** For tests: the process behind the fast path, with something that answers at once in Next's place. */
import { runNext } from '../run-next';

await runNext(async (_request, response) => {
  response.end('next');
});
