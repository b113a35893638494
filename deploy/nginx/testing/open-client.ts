import { once } from 'node:events';
import { type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { type Edge, SHOP } from './start-edge';

export type EdgeAnswer = { status: number; headers: IncomingHttpHeaders; body: string };
type Question = { method?: string; headers?: Record<string, string>; body?: string };

export type EdgeClient = {
  ask: (path: string, question?: Question) => Promise<EdgeAnswer>;
  /** Opens a request whose answer need not end. */
  open: (path: string) => ClientHttp2Stream;
  /** The protocol agreed in the handshake. */
  protocol: string | undefined;
  close: () => void;
};

type Options = {
  host?: string;
  /** The client address a trusted proxy reports; without it the client connects directly. */
  seenByProxy?: string;
};

/** For tests: opens one HTTP/2 connection to the edge, as a browser does, or as a trusted proxy does for its client. */
export async function openClient(
  edge: Edge,
  { host = SHOP, seenByProxy }: Options = {},
): Promise<EdgeClient> {
  const where = seenByProxy ? { path: edge.proxySocket } : { port: edge.port, host: '127.0.0.1' };
  const socket = connectTls({ ...where, servername: host, ca: edge.certificate, ALPNProtocols: ['h2'] });
  const session = connect(`https://${host}`, { createConnection: () => socket });
  // Waits for the settings, which say how many streams at once the edge allows.
  await once(session, 'remoteSettings');
  const common = seenByProxy ? { 'x-forwarded-for': seenByProxy } : {};
  return {
    protocol: session.alpnProtocol,
    open: (path) => session.request({ ':path': path, ...common }),
    async ask(path, { method = 'GET', headers = {}, body = '' } = {}) {
      const fields = { ':method': method, ':path': path, ...common, ...headers };
      const stream = session.request(fields, { endStream: body === '' });
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      if (body !== '') stream.end(body);
      const [answered] = (await once(stream, 'response')) as [IncomingHttpHeaders];
      if (!stream.readableEnded) await once(stream, 'end');
      return { status: Number(answered[':status']), headers: answered, body: text };
    },
    close: () => session.destroy(),
  };
}
