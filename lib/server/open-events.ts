import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { failureReply } from '@/lib/http/failure-reply';
import type { Reply } from '@/lib/http/reply';
import { addressOf } from './client-header';
import type { EventSink } from './events-send';
import { EVENT_HEADERS, joinSale, type StreamLimits } from './join-sale';
import { refuseEvents } from './refuse-events';
import type { SendReply } from './send-reply';

/** The end of the connection ends the stream: no chunks, no length. */
export const STREAM_HEADERS = { ...EVENT_HEADERS, connection: 'close' };

type OpenEvents = (saleId: string, request: IncomingMessage, response: ServerResponse) => void;

/**
 * Creates the fast path's way of sending events: headers through the response, then bytes straight to the socket, the
 * same buffer for all readers. A connection costs 16 KB, and no work while nothing happens; it has no timer.
 * @param common headers of every answer: name, value, name, value …
 */
export function createEventPath(
  send: SendReply,
  common: readonly string[],
  limits?: StreamLimits,
): OpenEvents {
  const headers = [...common, ...Object.entries(STREAM_HEADERS).flat()];

  return (saleId, request, response) => {
    const { socket } = request;
    const address = addressOf(request);
    const openSink = () => {
      if (socket.destroyed) return null;
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, headers);
      response.flushHeaders();
      request.rawHeaders = [];
      return new SocketSink(socket);
    };
    joinSale(saleId, address, openSink, limits).then(
      (result) => {
        const refusal = refuseEvents(result);
        if (refusal) send(response, refusal);
      },
      (error: unknown) => {
        if (response.headersSent) socket.destroy();
        else send(response, failureReply(error, request.url ?? ''));
      },
    );
  };
}

type PlainReader = {
  saleId: string;
  address: string | null;
  socket: Socket;
  /** The head of the answer; sent with the first event. */
  head: string;
  /** Gives the connection to the stream; false if its client has gone. */
  leave: () => boolean;
};

/**
 * Opens the same stream on a connection that node:http never saw. With node:http, readers who left together after a
 * sale had sold out cost the process a quarter of its time: it makes an error with a stack for each.
 * @returns the refusal; null if the stream has the connection, or its client has gone. Never rejects.
 */
export function openPlainEvents(
  { saleId, address, socket, head, leave }: PlainReader,
  limits?: StreamLimits,
): Promise<Reply | null> {
  const openSink = () => (leave() ? new SocketSink(socket, head) : null);
  return joinSale(saleId, address, openSink, limits).then(refuseEvents, (error: unknown) =>
    failureReply(error, `/api/sales/${saleId}/events`),
  );
}

/** A class, so that 10,000 of them share their methods. */
export class SocketSink implements EventSink {
  /** @param head goes out with the first event */
  constructor(
    private readonly socket: Socket,
    private head?: string,
  ) {
    // The client has nothing more to say on this connection; one that does is no browser. Removing the listeners also
    // ends Node's reading of requests.
    socket.removeAllListeners('data');
    socket.on('data', destroyThis);
    // Our servers let a client close its half and wait for its answer; but no client waits for the end of a stream.
    socket.once('end', destroyThis);
  }

  send(bytes: Buffer): boolean {
    if (this.socket.writableLength > 0) return false;
    this.socket.write(this.head ? Buffer.concat([Buffer.from(this.head, 'latin1'), bytes]) : bytes);
    this.head = undefined;
    return true;
  }

  end(): void {
    // A client that leaves earlier events unread would never get the end.
    if (this.socket.writableLength > 0) this.socket.destroy();
    else this.socket.destroySoon();
  }

  drop(): void {
    this.socket.destroy();
  }

  whenGone(forget: () => void): void {
    this.socket.once('close', forget);
  }
}

function destroyThis(this: Socket): void {
  this.destroy();
}
