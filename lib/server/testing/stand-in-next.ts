import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../listen';
import { privateSocketPath } from '../private-socket-path';
import { openUpstream, type Upstream } from '../upstream';

/** For tests: starts a server in the place of Next's. The caller closes it. */
export async function standInForNext(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<Upstream> {
  const socketPath = privateSocketPath();
  const server = createServer(answer);
  await listen(server, { path: socketPath, exclusive: true });
  const upstream = openUpstream(socketPath);
  return {
    ...upstream,
    close() {
      upstream.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
