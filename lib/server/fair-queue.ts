export type FairQueueLimits = {
  /** How many guests are inside at the same time. */
  atOnce: number;
  /** … of one client, so that a client with slow requests leaves places to others. */
  atOnceOfClient: number;
  /**
   * How many may wait, of all clients and of one client. A client's guest beyond its own limit is refused at once. A
   * guest beyond the common limit takes the place of the newest guest of the client with the longest queue, which is
   * refused instead; unless the arriving client's own queue is then as long.
   */
  waiting: number;
  waitingOfClient: number;
  /** A guest that has waited this long is refused. */
  waitMs: number;
};

/**
 * `yours`: go on, and call `leave` when done. `crowded`: this client has too many guests here. `full`: there are too
 * many in all. `left`: the guest gave up.
 */
export type Turn = 'yours' | 'crowded' | 'full' | 'left';

export type Ticket = {
  /** Never rejects. */
  turn: Promise<Turn>;
  /** False: the turn is decided already. */
  isWaiting: boolean;
  /** Gives the place back, or leaves the queue; callers may call it more than once. */
  leave: () => void;
};

export type FairQueue = {
  /** @param client the one the request counts for */
  enter: (client: string) => Ticket;
  counts: () => { atOnce: number; waiting: number; clients: number };
};

type Client = { key: string; atOnce: number; queue: Set<Guest> };
type Guest = {
  client: Client;
  state: 'waiting' | 'inside' | 'gone';
  answer: (turn: Turn) => void;
  timer?: NodeJS.Timeout;
};

/**
 * Lets a bounded number of guests in at the same time. Waiting guests get in by turns, one of each client: however
 * many requests a client sends, another client's next request waits for one of them at most, and a few clients never
 * fill the queue for others.
 */
export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const clients = new Map<string, Client>();
  /** Clients with a waiting guest that may go in, in the order of their turns. */
  const ready = new Set<Client>();
  const lengths = createLengths();
  let atOnce = 0;
  let waiting = 0;

  const mayGoIn = (client: Client) => client.atOnce < limits.atOnceOfClient;
  const update = (client: Client) => {
    if (client.queue.size > 0 && mayGoIn(client)) ready.add(client);
    else ready.delete(client);
    if (client.atOnce === 0 && client.queue.size === 0) clients.delete(client.key);
  };
  const goIn = (guest: Guest) => {
    guest.state = 'inside';
    guest.client.atOnce += 1;
    atOnce += 1;
    guest.answer('yours');
  };
  const takeOut = (guest: Guest) => {
    const { client } = guest;
    clearTimeout(guest.timer);
    client.queue.delete(guest);
    lengths.change(client, client.queue.size + 1);
    waiting -= 1;
  };
  const leaveLine = (guest: Guest, turn: Turn) => {
    takeOut(guest);
    guest.state = 'gone';
    guest.answer(turn);
    update(guest.client);
  };
  /** @returns whether the queue has a place for one more guest of this client. */
  const makeRoom = ({ queue }: Client): boolean => {
    if (waiting < limits.waiting) return true;
    const longest = lengths.longest();
    if (!longest || longest.queue.size <= queue.size + 1) return false;
    leaveLine(newestOf(longest), 'full');
    return true;
  };
  const callNext = () => {
    while (atOnce < limits.atOnce) {
      const [client] = ready;
      const [guest] = client?.queue ?? [];
      if (!client || !guest) return;
      takeOut(guest);
      goIn(guest);
      // Moves the client to the end of the round.
      ready.delete(client);
      update(client);
    }
  };
  const leave = (guest: Guest) => {
    if (guest.state === 'waiting') leaveLine(guest, 'left');
    if (guest.state !== 'inside') return;
    guest.state = 'gone';
    guest.client.atOnce -= 1;
    atOnce -= 1;
    update(guest.client);
    callNext();
  };

  return {
    enter(key) {
      const client: Client = clients.get(key) ?? { key, atOnce: 0, queue: new Set() };
      clients.set(key, client);
      let answer: Guest['answer'] = () => {};
      const turn = new Promise<Turn>((resolve) => {
        answer = resolve;
      });
      const guest: Guest = { client, state: 'gone', answer };
      if (atOnce < limits.atOnce && mayGoIn(client)) goIn(guest);
      else if (client.queue.size >= limits.waitingOfClient) answer('crowded');
      else if (!makeRoom(client)) answer('full');
      else {
        guest.state = 'waiting';
        guest.timer = setTimeout(() => leaveLine(guest, 'full'), limits.waitMs).unref();
        client.queue.add(guest);
        lengths.change(client, client.queue.size - 1);
        waiting += 1;
      }
      update(client);
      return { turn, isWaiting: guest.state === 'waiting', leave: () => leave(guest) };
    },
    counts: () => ({ atOnce, waiting, clients: clients.size }),
  };
}

/**
 * A set gives access to its first item only: finding the last takes some 5 µs for a queue of a thousand, and happens
 * only to refuse a guest.
 */
function newestOf({ queue }: Client): Guest {
  let newest: Guest | undefined;
  for (const guest of queue) newest = guest;
  return newest as Guest;
}

/**
 * Groups clients by the length of their queues. A length changes by one at a time, so the longest queue is known
 * without a search.
 */
function createLengths() {
  const byLength = new Map<number, Set<Client>>();
  let most = 0;
  return {
    change(client: Client, before: number) {
      const now = client.queue.size;
      byLength.get(before)?.delete(client);
      if (byLength.get(before)?.size === 0) byLength.delete(before);
      if (now > 0) byLength.set(now, (byLength.get(now) ?? new Set()).add(client));
      if (now > most || !byLength.has(most)) most = now;
    },
    longest(): Client | undefined {
      const [client] = byLength.get(most) ?? [];
      return client;
    },
  };
}
