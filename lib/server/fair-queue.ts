export type FairQueueLimits = {
  /** How many are inside at the same time. */
  atOnce: number;
  /** … of one client, so that somebody who asks for what takes long leaves places to others. */
  atOnceOfClient: number;
  /** How many may wait, all together and of one client; one more is refused at once. */
  waiting: number;
  waitingOfClient: number;
  /** Whoever has waited this long is refused. */
  waitMs: number;
};

/** `yours`: go on, and `leave` when done. `crowded`: this client has too many here. `full`: there are too many. `left`: gave up. */
export type Turn = 'yours' | 'crowded' | 'full' | 'left';

export type Ticket = {
  /** Never rejects. */
  turn: Promise<Turn>;
  /** Gives the place back, or leaves the line; may be called more than once. */
  leave: () => void;
};

export type FairQueue = {
  /** @param client whom the request counts for */
  enter: (client: string) => Ticket;
  counts: () => { atOnce: number; waiting: number; clients: number };
};

type Client = { key: string; atOnce: number; line: Set<Guest> };
type Guest = {
  client: Client;
  state: 'waiting' | 'inside' | 'gone';
  answer: (turn: Turn) => void;
  timer?: NodeJS.Timeout;
};

/**
 * Lets a bounded number in at the same time. Those who wait are let in by turns, one of each client: however many requests
 * a client sends, another client's next one waits for one of them at most.
 */
export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const clients = new Map<string, Client>();
  /** Clients with somebody in line who may go in, in the order of their turns. */
  const ready = new Set<Client>();
  let atOnce = 0;
  let waiting = 0;

  const mayGoIn = (client: Client) => client.atOnce < limits.atOnceOfClient;
  const update = (client: Client) => {
    if (client.line.size > 0 && mayGoIn(client)) ready.add(client);
    else ready.delete(client);
    if (client.atOnce === 0 && client.line.size === 0) clients.delete(client.key);
  };
  const goIn = (guest: Guest) => {
    guest.state = 'inside';
    guest.client.atOnce += 1;
    atOnce += 1;
    guest.answer('yours');
  };
  const leaveLine = (guest: Guest, turn: Turn) => {
    clearTimeout(guest.timer);
    guest.client.line.delete(guest);
    waiting -= 1;
    guest.state = 'gone';
    guest.answer(turn);
    update(guest.client);
  };
  const callNext = () => {
    while (atOnce < limits.atOnce) {
      const [client] = ready;
      const [guest] = client?.line ?? [];
      if (!client || !guest) return;
      clearTimeout(guest.timer);
      client.line.delete(guest);
      waiting -= 1;
      goIn(guest);
      // To the end of the round.
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
      const client: Client = clients.get(key) ?? { key, atOnce: 0, line: new Set() };
      clients.set(key, client);
      let answer: Guest['answer'] = () => {};
      const turn = new Promise<Turn>((resolve) => {
        answer = resolve;
      });
      const guest: Guest = { client, state: 'gone', answer };
      if (atOnce < limits.atOnce && mayGoIn(client)) goIn(guest);
      else if (waiting >= limits.waiting) answer('full');
      else if (client.line.size >= limits.waitingOfClient) answer('crowded');
      else {
        guest.state = 'waiting';
        guest.timer = setTimeout(() => leaveLine(guest, 'full'), limits.waitMs).unref();
        client.line.add(guest);
        waiting += 1;
      }
      update(client);
      return { turn, leave: () => leave(guest) };
    },
    counts: () => ({ atOnce, waiting, clients: clients.size }),
  };
}
