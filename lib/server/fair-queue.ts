export type FairQueueLimits = {
  /** How many are inside at the same time. */
  atOnce: number;
  /** … of one client, so that somebody who asks for what takes long leaves places to others. */
  atOnceOfClient: number;
  /**
   * How many may wait, all together and of one client; one more of a client is refused at once. One more of all takes the
   * place of the newest of the client with the longest line, which is refused instead; unless its own line is as long then.
   */
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
 * a client sends, another client's next one waits for one of them at most, and a few clients never fill the line for others.
 */
export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const clients = new Map<string, Client>();
  /** Clients with somebody in line who may go in, in the order of their turns. */
  const ready = new Set<Client>();
  const lengths = createLengths();
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
  const takeOut = (guest: Guest) => {
    const { client } = guest;
    clearTimeout(guest.timer);
    client.line.delete(guest);
    lengths.change(client, client.line.size + 1);
    waiting -= 1;
  };
  const leaveLine = (guest: Guest, turn: Turn) => {
    takeOut(guest);
    guest.state = 'gone';
    guest.answer(turn);
    update(guest.client);
  };
  /** @returns whether there is a place in line for one more of this client. */
  const makeRoom = ({ line }: Client): boolean => {
    if (waiting < limits.waiting) return true;
    const longest = lengths.longest();
    if (!longest || longest.line.size <= line.size + 1) return false;
    leaveLine(newestOf(longest), 'full');
    return true;
  };
  const callNext = () => {
    while (atOnce < limits.atOnce) {
      const [client] = ready;
      const [guest] = client?.line ?? [];
      if (!client || !guest) return;
      takeOut(guest);
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
      else if (client.line.size >= limits.waitingOfClient) answer('crowded');
      else if (!makeRoom(client)) answer('full');
      else {
        guest.state = 'waiting';
        guest.timer = setTimeout(() => leaveLine(guest, 'full'), limits.waitMs).unref();
        client.line.add(guest);
        lengths.change(client, client.line.size - 1);
        waiting += 1;
      }
      update(client);
      return { turn, leave: () => leave(guest) };
    },
    counts: () => ({ atOnce, waiting, clients: clients.size }),
  };
}

/** A set knows its first only: some 5 µs for a line of a thousand, and only to refuse somebody. */
function newestOf({ line }: Client): Guest {
  let newest: Guest | undefined;
  for (const guest of line) newest = guest;
  return newest as Guest;
}

/** Clients by the length of their lines. It changes by one at a time, so whose is the longest is known without searching. */
function createLengths() {
  const byLength = new Map<number, Set<Client>>();
  let most = 0;
  return {
    change(client: Client, before: number) {
      const now = client.line.size;
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
