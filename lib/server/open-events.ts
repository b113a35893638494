import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { failureReply } from '@/lib/http/failure-reply';
import { addressOf } from './client-header';
import type { EventSink } from './events-send';
import { EVENT_HEADERS, joinSale, type StreamLimits } from './join-sale';
import { refuseEvents } from './refuse-events';
import type { SendReply } from './send-reply';

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
  // The end of the connection ends the stream: no chunks, no length.
  const headers = [...common, ...Object.entries(EVENT_HEADERS).flat(), 'connection', 'close'];

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

/** A class, so that 10,000 of them share their methods. */
export class SocketSink implements EventSink {
  constructor(private readonly socket: Socket) {
    // The client has nothing more to say on this connection; one that does is no browser. Removing the listeners also
    // ends Node's reading of requests.
    socket.removeAllListeners('data');
    socket.on('data', destroyThis);
    // Our servers let a client close its half and wait for its answer; but no client waits for the end of a stream.
    socket.once('end', destroyThis);
  }

  send(bytes: Buffer): boolean {
    if (this.socket.writableLength > 0) return false;
    this.socket.write(bytes);
    return true;
  }

  end(): void {
    this.socket.destroySoon();
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
