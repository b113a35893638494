import { connect, type Socket } from 'node:net';

/** The headers of a browser's request; they add to the cost of a connection. */
const BROWSER = [
  'accept: text/event-stream',
  'accept-encoding: gzip, deflate, br, zstd',
  'accept-language: en-US,en;q=0.9',
  'cache-control: no-cache',
  'connection: keep-alive',
  `cookie: __Host-session=${'x'.repeat(400)}`,
  'host: localhost',
  'referer: http://localhost/sales/lamp',
  'sec-ch-ua: "Chromium";v="142", "Not?A_Brand";v="99"',
  'sec-fetch-dest: empty',
  'sec-fetch-mode: cors',
  'sec-fetch-site: same-origin',
  'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
].join('\r\n');

export type EventReader = {
  socket: Socket;
  /** Returns all text received so far. */
  text: () => string;
  status: () => number;
  /** Returns the states received so far, in order. */
  states: () => Record<string, unknown>[];
  ended: Promise<void>;
};

/** Returns the bytes with which a browser asks to follow a sale. @param client address that a proxy saw, or empty */
export function eventRequest(saleId: string, client = ''): string {
  const from = client === '' ? '' : `x-forwarded-for: ${client}\r\n`;
  return `GET /api/sales/${saleId}/events HTTP/1.1\r\n${from}${BROWSER}\r\n\r\n`;
}

/** For tests: follows a sale over a connection of its own, as a browser would; resolves with the first state or the end. */
export function readEvents(port: number, saleId: string): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let text = '';
    const reader: EventReader = {
      socket,
      text: () => text,
      status: () => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
      states: () =>
        [...text.matchAll(/^data: (\{.*\})\n\n/gm)].map(([, json = '']) => JSON.parse(json) as never),
      ended: new Promise((over) => {
        socket.once('close', () => {
          over();
          resolve(reader);
        });
      }),
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('}\n\n')) resolve(reader);
    });
    socket.once('error', reject);
    socket.write(eventRequest(saleId));
  });
}
