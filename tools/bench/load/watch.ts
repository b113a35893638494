import { connect, type Socket } from 'node:net';

/** Fewer than a web process allows one address, so a crowd needs several: 127.0.0.1, 127.0.0.2 … */
const STREAMS_OF_ADDRESS = 500;
const FIRST_ADDRESS = 1;
const AT_ONCE = 64;
const STATUS = '"status":"';
const FIRST_EVENT_WITHIN_MS = 20_000;

/** One reader's knowledge of the sale. */
type Reader = { socket: Socket; status: string; sinceMs: number };

type Watchers = {
  /** Opens `count` more streams. Resolves when each has its first state. @throws when one is refused or late. */
  open(port: number, saleId: string, count: number): Promise<void>;
  /** Returns when each reader learnt that the sale has this status now, in epoch ms; nothing for those who have not. */
  learnt(status: string): number[];
  /** Returns how many streams are open. */
  count(): number;
  close(): void;
};

/** Follows a sale over many streams, as its pages in browsers do. */
export function createWatchers(): Watchers {
  const readers = new Set<Reader>();
  return {
    async open(port, saleId, count) {
      const target = readers.size + count;
      while (readers.size < target) {
        const some = Array.from({ length: Math.min(AT_ONCE, target - readers.size) }, (_, n) => {
          const address = FIRST_ADDRESS + Math.floor((readers.size + n) / STREAMS_OF_ADDRESS);
          return openStream(port, saleId, `127.0.0.${address}`);
        });
        for (const reader of await Promise.all(some)) {
          readers.add(reader);
          reader.socket.once('close', () => readers.delete(reader));
        }
      }
    },
    learnt: (status) =>
      [...readers].filter((reader) => reader.status === status).map(({ sinceMs }) => sinceMs),
    count: () => readers.size,
    close() {
      for (const { socket } of readers) socket.destroy();
    },
  };
}

function openStream(port: number, saleId: string, localAddress: string): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    const reader: Reader = { socket, status: '', sinceMs: 0 };
    const fail = (why: string) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new Error(`a stream from ${localAddress} ${why}`));
    };
    const timer = setTimeout(() => fail('has no state in time'), FIRST_EVENT_WITHIN_MS);
    let rest = '';
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      rest += text;
      if (!rest.endsWith('\n\n')) return;
      const isFirst = reader.status === '';
      learn(reader, rest);
      rest = '';
      if (!isFirst || reader.status === '') return;
      clearTimeout(timer);
      resolve(reader);
    });
    socket.on('error', ({ message }) => fail(`broke: ${message}`));
    socket.once('close', () => fail(`was closed: ${rest.split('\r\n')[0]}`));
    socket.write(
      `GET /api/sales/${saleId}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`,
    );
  });
}

/** Notes a new status. The units left change it as little as a heartbeat does. */
function learn(reader: Reader, events: string): void {
  const at = events.lastIndexOf(STATUS);
  if (at === -1) return;
  const from = at + STATUS.length;
  const status = events.slice(from, events.indexOf('"', from));
  if (status === reader.status) return;
  reader.status = status;
  reader.sinceMs = Date.now();
}
