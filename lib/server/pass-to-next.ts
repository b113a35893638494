import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressKey } from '@/lib/http/address-key';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { answerFailure } from './answer-failure';
import { bodyLimit } from './body-limit';
import { addressOf } from './client-header';
import { createFairQueue, type FairQueueLimits, type Ticket, type Turn } from './fair-queue';
import type { Limits } from './limits';
import { problemForReader } from './problem-page';
import { hasBody, readBody } from './read-body';
import type { SendReply } from './send-reply';
import { createShares } from './shares';
import { pathOf } from './site-map';
import type { Upstream } from './upstream';
import { whenOver } from './when-over';

type NextDoor = {
  /** Passes a request with its whole body on to Next when it is its client's turn. Never rejects. */
  pass: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Takes a client's place in the queue, for requests our server itself sends to Next. */
  enter: (client: string) => Ticket;
};

/** Machines call these: a queue of visitors must not delay the writing of orders. */
const FOR_MACHINES = /^\/api\/(?:inngest$|payments\/webhooks\/|internal\/)/;

/** These wait for their password to be checked: a crowd that signs in must not keep others from pages. */
const WITH_PASSWORDS = /^\/api\/(?:auth\/callback\/credentials|register)$/;

/** Returns the client a request counts for: an IPv4 address, or the /64 network of an IPv6 one. */
export const clientOf = (request: Pick<IncomingMessage, 'socket' | 'headers'>): string =>
  addressKey(addressOf(request) ?? '');

/**
 * Creates the door between clients and Next. There are three: for people, machines and passwords. Each bounds what passes, for
 * a client and for all together:
 * bodies, requests at work in Next, requests that wait for it, and answers still being read.
 */
export function createNextDoor(forward: Upstream['forward'], send: SendReply, limits: Limits): NextDoor {
  const open = (ofQueue: FairQueueLimits) => ({
    limits: ofQueue,
    queue: createFairQueue(ofQueue),
    arrivals: createShares(limits.arrivals),
    exchanges: createShares(limits.exchanges),
    bytes: createShares(limits.uploadBytes),
  });
  const people = open(limits.next);
  const machines = open(limits.next);
  const passwords = open(limits.passwords);
  const doorOf = (path: string) => {
    if (FOR_MACHINES.test(path)) return machines;
    return WITH_PASSWORDS.test(path) ? passwords : people;
  };

  return {
    enter: (client) => people.queue.enter(client),
    async pass(request, response) {
      // A connection that has already broken sends no more events.
      if (request.socket.destroyed) return;
      const path = pathOf(request.url ?? '');
      const { queue, limits: ofQueue, arrivals, exchanges, bytes } = doorOf(path);
      const client = clientOf(request);
      const isArriving = hasBody(request);
      const mayArrive = isArriving ? arrivals.take(client) : 'yours';
      if (mayArrive !== 'yours') {
        send(response, refuseTurn(mayArrive, ofQueue));
        return;
      }

      const held = holdBytes(bytes, client);
      let ticket: Ticket | undefined;
      let isWithNext = false;
      try {
        const body = await readBody(request, {
          maxBytes: bodyLimit(path),
          withinMs: limits.requestTimeoutMs,
          hasRoom: held.hasRoom,
        }).finally(() => isArriving && arrivals.give(client));
        if (body === 'too_large') return send(response, problemReply('TOO_LARGE'));
        if (body === 'no_room') return send(response, refuseTurn(held.fullWhy(), ofQueue));
        if (request.socket.destroyed) return;
        ticket = queue.enter(client);
        whenOver(request, response, () => !isWithNext && ticket?.leave());
        const turn = await ticket.turn;
        if (turn === 'left') return;
        if (turn !== 'yours') return send(response, problemForReader(request, refuseTurn(turn, ofQueue)));
        // The client may have hung up in the moment between.
        if (request.socket.destroyed) return;
        const mayPass = exchanges.take(client);
        if (mayPass !== 'yours')
          return send(response, problemForReader(request, refuseTurn(mayPass, ofQueue)));
        whenOver(request, response, () => exchanges.give(client));
        // A client that hangs up from here on keeps its place, because Next works on its request all the same.
        isWithNext = true;
        await forward(request, response, body);
      } catch (error) {
        answerFailure(send, error, request, response);
      } finally {
        ticket?.leave();
        held.give();
      }
    },
  };
}

/** Counts the bytes of one client's body that wait here. */
function holdBytes(bytes: ReturnType<typeof createShares>, client: string) {
  let heldBytes = 0;
  let fullWhy: Exclude<Turn, 'yours'> = 'full';
  return {
    hasRoom(size: number) {
      const answer = bytes.take(client, size);
      if (answer === 'yours') heldBytes += size;
      else fullWhy = answer;
      return answer === 'yours';
    },
    /** Why there was no room. */
    fullWhy: () => fullWhy,
    give: () => bytes.give(client, heldBytes),
  };
}

/** Returns the answer to a request whose turn does not come. */
export function refuseTurn(turn: Exclude<Turn, 'yours'>, queue: FairQueueLimits): Reply {
  if (turn !== 'crowded') return problemReply('UNAVAILABLE', { retryAfterMs: 1_000 });
  return problemReply('RATE_LIMITED', {
    detail: 'Too many requests from this address wait for an answer.',
    retryAfterMs: 1_000,
    headers: {
      'ratelimit-policy': `"address";q=${queue.waitingOfClient};w=${queue.waitMs / 1_000}`,
      ratelimit: '"address";r=0;t=1',
    },
  });
}
