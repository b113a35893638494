import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { createMoments, type Moments } from './moments';
import { createPersonConnection, type EventStream, followEvents, type Reply } from './person-connection';

export type Journey = {
  port: number;
  saleId: string;
  slug: string;
  /** Epoch ms. */
  startsAt: number;
  /** People arrive evenly within this time before the start, ms. */
  arriveWithinMs: number;
  /** The last one comes this long before the start, ms. */
  lastMs: number;
  /** Each presses at a moment of its own within this time after the start, ms. */
  pressWithinMs: number;
  cookies: readonly string[];
  /** How many people travel in other processes of the load: these come from other addresses. */
  before: number;
};

export type JourneyResult = {
  /** People who had a token when the sale started. */
  readyBefore: number;
  /** Answers to the presses, by status. */
  pressed: Record<number, number>;
  /** Accepted people whose order was in Postgres in the end. */
  followed: number;
  /** Answers of any kind that no shopper should get, by what was asked and status. */
  errors: Record<string, number>;
  /** Times of each person: for page, visit and entry; from the start until seen; from the press to the answer. */
  arriveMs: number[];
  seenMs: number[];
  pressMs: number[];
  busy: number;
};

/** How many people share an address: an office. */
const OF_ONE_ADDRESS = 50;
const FOLLOW_EVERY_MS = 500;
const POLL_EVERY_MS = 1_000;
/** A journey ends this long after the start, whatever is left of it. */
const GIVE_UP_MS = 40_000;
/** Time to read a refusal. Nobody closes a page at the moment of the answer. */
const STAYS_MS = 5_000;
const TRIES = 5;
const RETRY_MS = 1_000;

/** Sends people through all of it: page, visit, entry, events, press, order. */
export async function runJourney(journey: Journey): Promise<JourneyResult> {
  const { cookies, startsAt, arriveWithinMs, lastMs, pressWithinMs } = journey;
  const load = performance.eventLoopUtilization();
  const noted: Noted = {
    arriveMs: [],
    seenMs: [],
    pressMs: [],
    readyBefore: 0,
    followed: 0,
    pressed: {},
    errors: {},
  };
  const presses = createMoments(startsAt, pressWithinMs);
  const tooLate = delay(startsAt + GIVE_UP_MS - Date.now(), null, { ref: false });
  await Promise.all(
    cookies.map(async (cookie, n) => {
      const arrivesAt = startsAt - arriveWithinMs + (n * (arriveWithinMs - lastMs)) / cookies.length;
      await until(arrivesAt);
      await travel({ ...journey, cookie, n, presses, tooLate }, noted);
    }),
  );
  presses.stop();
  return { ...noted, busy: performance.eventLoopUtilization(load).utilization };
}

type Noted = Omit<JourneyResult, 'busy'>;

type Person = Journey & { cookie: string; n: number; presses: Moments; tooLate: Promise<null> };

async function travel(person: Person, noted: Noted): Promise<void> {
  const { port, saleId, slug, startsAt, pressWithinMs, cookies, cookie, n, before, presses } = person;
  const address = addressOf(before + n);
  const connection = createPersonConnection(port, address, presses.look);
  const own = `Cookie: ${cookie}\r\nOrigin: http://localhost\r\n`;
  const ask = async (what: string, request: string): Promise<Reply> => {
    for (let tries = 1; ; tries += 1) {
      const reply = await connection.ask(request);
      if ((reply.status >= 200 && reply.status < 300) || reply.status === 409) return reply;
      const key = `${what} ${reply.status}`;
      noted.errors[key] = (noted.errors[key] ?? 0) + 1;
      if (tries === TRIES) return reply;
      await delay(RETRY_MS);
    }
  };
  const get = (what: string, path: string, headers = '') =>
    ask(what, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n${headers}\r\n`);

  const cameAt = Date.now();
  await get('page', `/sales/${slug}`);
  await get('visit', `/api/visit?slug=${slug}`, own);
  const entered = await ask(
    'entry',
    `POST /api/sales/${saleId}/entry HTTP/1.1\r\nHost: localhost\r\n${own}Content-Length: 0\r\n\r\n`,
  );
  const token = fieldOf(entered.body, 'entryToken');
  noted.arriveMs.push(Date.now() - cameAt);
  if (token && Date.now() < startsAt) noted.readyBefore += 1;

  const stream = followEvents(port, address, `/api/sales/${saleId}/events`, presses.look);
  try {
    const gate = await seeStart(person, stream, get, noted);
    if (!token || !gate) return;
    noted.seenMs.push(Date.now() - startsAt);
    const nth = (n * 7_919) % cookies.length;
    await presses.at(Math.floor((nth * pressWithinMs) / cookies.length));
    const pressedAt = performance.now();
    const bought = await ask(
      'purchase',
      `POST /api/sales/${saleId}/purchase/${gate} HTTP/1.1\r\nHost: localhost\r\nX-Entry-Token: ${token}\r\nContent-Length: 0\r\n\r\n`,
    );
    noted.pressMs.push(performance.now() - pressedAt);
    noted.pressed[bought.status] = (noted.pressed[bought.status] ?? 0) + 1;
    const orderNo = bought.status === 202 ? fieldOf(bought.body, 'orderNo') : null;
    while (orderNo && Date.now() < startsAt + GIVE_UP_MS) {
      const order = await get('order', `/api/orders/${orderNo}`, `X-Entry-Token: ${token}\r\n`);
      if (fieldOf(order.body, 'status') === 'pending_payment') {
        noted.followed += 1;
        break;
      }
      await delay(FOLLOW_EVERY_MS);
    }
    // A person who knows the outcome asks nothing more, but reads on.
    connection.close();
    await delay(STAYS_MS);
  } finally {
    stream.close();
    connection.close();
  }
}

/** Waits for the start as a page does: by the events, or by asking where there is no stream. @returns the gate */
async function seeStart(
  { saleId, startsAt, tooLate }: Person,
  stream: EventStream,
  get: (what: string, path: string) => Promise<Reply>,
  noted: Noted,
): Promise<string | null> {
  if ((await stream.answered) === 200)
    return Promise.race([stream.find((data) => fieldOf(data, 'gate')), tooLate]);
  noted.errors['events refused'] = (noted.errors['events refused'] ?? 0) + 1;
  while (Date.now() < startsAt + GIVE_UP_MS) {
    const gate = fieldOf((await get('state', `/api/sales/${saleId}/state`)).body, 'gate');
    if (gate) return gate;
    await delay(POLL_EVERY_MS);
  }
  return null;
}

/** Reads a text of a flat JSON object without parsing the rest. */
function fieldOf(json: string, name: string): string | null {
  const opening = `"${name}":"`;
  const at = json.indexOf(opening);
  return at < 0 ? null : json.slice(at + opening.length, json.indexOf('"', at + opening.length));
}

/** One of the loopback network's addresses: 127.1.0.1, 127.1.0.2 … */
const addressOf = (n: number): string => {
  const office = Math.floor(n / OF_ONE_ADDRESS);
  return `127.1.${office >> 7}.${(office & 127) + 1}`;
};

const until = (atMs: number): Promise<unknown> => delay(Math.max(0, atMs - Date.now()));
