/** For tests: the whole web process with nothing behind it; says `ready` to who forked it. */
import { runWeb } from '../run-web';

await runWeb(
  async (_request, response) => {
    response.writeHead(404, { 'content-type': 'text/plain', 'x-answered-by': 'next' });
    response.end('next');
  },
  async (_request, socket) => {
    socket.destroy();
  },
);
process.send?.('ready');
