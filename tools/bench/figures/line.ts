import { randomBytes } from 'node:crypto';
import { type Admission, nextAdmission, type Situation } from '@/lib/line/records/next-admission';
import { placesOf } from '@/lib/line/records/places';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { whole } from '../report/format';
import { measuredOnce, ratioRow } from '../report/ratio-row';
import { atMost, type FigureReport, type Row } from '../report/types';
import { signedInPeople } from '../stack/people';
import { type BenchSale, dropBenchSale, openBenchSale } from '../stack/sales';

/** A place is written into Postgres before it is told; an entry writes nothing. */
const TARGET_ENTRY = 0.2;
const PEOPLE = 2_000;
/** Each person joins each of these lines once, within a round; more than any machine writes. */
const LINES_PER_ROUND = 5;
const JOIN_SECONDS = 1;
const HOUR_MS = 3_600_000;
const WAITERS = 1_000_000;
const TARGET_PLACES_MS = 2_000;
/** Two numbers of four bytes stay: which place, and whose. The rest is not yet collected. */
const TARGET_BYTES = 12;
const STEP_MS = 250;

/**
 * Measures places given per second of signed-in shoppers, against entries; and, in this process, what a million people who
 * wait cost: the memory of their places, the time to compute them and the steps of letting them in.
 */
export async function measureLine(context: BenchContext): Promise<FigureReport> {
  const { product } = context;
  const opened = await openBenchSale(100);
  const people = await signedInPeople(PEOPLE);
  const lines: BenchSale[] = [];
  const busy: number[] = [];
  const rateOf = async (requests: string[], isCyclic: boolean, expected: number) => {
    const short = { ...context, seconds: JOIN_SECONDS };
    const rate = await measureRate(
      short,
      product.fastPath.port,
      { kind: 'given', requests, isCyclic },
      expected,
    );
    busy.push(rate.result.busy);
    return rate.perSecond;
  };
  try {
    const samples = await alternate(context.rounds, [
      {
        name: 'joins',
        run: async () => {
          const made: BenchSale[] = [];
          for (let n = 0; n < LINES_PER_ROUND; n += 1) made.push(await openWaitingRoom());
          lines.push(...made);
          const requests = made.flatMap((sale) =>
            people.map(({ cookie }) => requestOf('line', sale, cookie)),
          );
          return rateOf(requests, false, 201);
        },
      },
      {
        name: 'entries',
        run: () =>
          rateOf(
            people.map(({ cookie }) => requestOf('entry', opened, cookie)),
            true,
            200,
          ),
      },
    ]);
    const row = ratioRow({
      figure: 'places given in a line/s : entries/s',
      ours: samples.joins ?? [],
      theirs: samples.entries ?? [],
      target: { atLeast: TARGET_ENTRY },
    });
    return {
      name: 'line',
      samples,
      rows: [row, ...(await measureMillion())],
      notes: [
        `each round gives ${whole(PEOPLE)} people a place in each of ${LINES_PER_ROUND} lines, for ${JOIN_SECONDS} s at most.`,
        'nobody is told anything by himself: a page works its place out from two numbers in the state of the sale.',
        ...generatorNote(busy),
      ],
    };
  } finally {
    await Promise.all([opened, ...lines].map(dropBenchSale));
  }
}

const openWaitingRoom = () => {
  const startsAt = Date.now() + HOUR_MS;
  return openBenchSale(100, { startsAt, admission: 'waiting_room', entryOpensAt: Date.now() - 1_000 });
};

/** Shuffles a million in this process, as every web process does after a start, and lets them all in. */
async function measureMillion(): Promise<Row[]> {
  const before = process.memoryUsage().arrayBuffers;
  const hex = () => randomBytes(32).toString('hex');
  const shuffledWith = { seed: hex(), noncesDigest: hex(), beacon: null };
  const from = performance.now();
  const places = await placesOf({ saleId: 'bench', early: WAITERS, shuffledWith });
  const ms = performance.now() - from;
  const bytes = (process.memoryUsage().arrayBuffers - before) / WAITERS;
  if (places?.numberAt(places.placeOf(7)) !== 7) throw new Error('the places of a million are wrong');
  const { steps, usPerStep } = admitAll();
  return [
    {
      figure: 'a million places worked out, ms',
      measured: `${whole(ms)} ms`,
      result: `${whole(ms)} ms`,
      target: `≤ ${whole(TARGET_PLACES_MS)} ms`,
      verdict: atMost(ms, TARGET_PLACES_MS),
      ...measuredOnce(ms, 'less'),
    },
    {
      figure: 'memory of a web process for each who waits, bytes',
      measured: `${bytes.toFixed(1)} bytes`,
      result: `${bytes.toFixed(1)} bytes`,
      target: `≤ ${TARGET_BYTES} bytes`,
      verdict: atMost(bytes, TARGET_BYTES),
      ...measuredOnce(bytes, 'less'),
    },
    {
      figure: 'a million let in for 100,000 units: steps of a worker, µs each',
      measured: `${whole(steps)} steps`,
      result: `${usPerStep.toFixed(1)} µs`,
      target: 'printed',
      verdict: 'info',
      ...measuredOnce(usPerStep, 'less'),
    },
  ];
}

/** Lets a million in, in simulated time: a tenth buys in the end, the others let their turn pass. */
function admitAll(): { steps: number; usPerStep: number } {
  let seen: Situation = {
    now: 0,
    tendedAt: null,
    admitted: 0,
    lapsed: 0,
    steps: [],
    waiting: WAITERS,
    outstanding: 0,
    available: 100_000,
    limitPerUser: 1,
    busy: 0.5,
    machineRate: 50,
    credit: 0,
    perMinute: null,
    held: false,
    opened: false,
    isStopped: false,
  };
  const leaves: { at: number; people: number; units: number }[] = [];
  let [steps, spent] = [0, 0];
  while (seen.waiting > 0 && seen.available > 0) {
    const now = seen.now + STEP_MS;
    while (leaves[0] && leaves[0].at <= now) {
      const { people, units } = leaves.shift() as (typeof leaves)[number];
      seen = { ...seen, outstanding: seen.outstanding - people, available: seen.available - units };
    }
    const from = performance.now();
    const next: Admission = nextAdmission({ ...seen, now });
    spent += performance.now() - from;
    steps += 1;
    const buyers = Math.floor(next.admit / 10);
    if (next.admit > 0) {
      leaves.push({ at: now + 120_000, people: next.admit, units: buyers });
    }
    const admitted = seen.admitted + next.admit;
    seen = {
      ...seen,
      ...next,
      now,
      tendedAt: now,
      admitted,
      steps: next.admit > 0 ? [...next.steps, [now, admitted]] : next.steps,
      waiting: seen.waiting - next.admit,
      outstanding: seen.outstanding + next.admit,
    };
  }
  return { steps, usPerStep: (spent / steps) * 1_000 };
}

const requestOf = (what: 'line' | 'entry', { saleId }: BenchSale, cookie: string): string =>
  `POST /api/sales/${saleId}/${what} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\nCookie: ${cookie}\r\nContent-Length: 0\r\n\r\n`;
