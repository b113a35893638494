/** For tests: runs the process behind the fast path, with a handler in Next's place that answers at once. */
import { runNext } from '../run-next';

await runNext(async (_request, response) => {
  response.end('next');
});
