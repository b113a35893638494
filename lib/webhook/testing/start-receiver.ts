import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Got = { path: string; headers: IncomingHttpHeaders; body: string };
type Answer = (response: ServerResponse) => void;

/** For tests: a server that takes webhooks as `answer` says, 204 at first, and keeps what it got. */
export async function startReceiver() {
  const got: Got[] = [];
  const receiver = {
    got,
    url: '',
    answer: ((response) => void response.writeHead(204).end()) as Answer,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() });
      receiver.answer(response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}
