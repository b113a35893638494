import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@/lib/ids/new-id';
import { ask } from '@/tools/harness/ask';
import { type Client, goIn, nameOf, patiently, purchase } from '@/tools/harness/client';
import { percentile } from '@/tools/harness/stats';
import { type ScenarioReport, Tally } from './report';
import { type AttackSale, publishAttackSale } from './sale';
import { recruitPeople, type Scene, untilOpen } from './scene';
import { untilWritten } from './until-written';

type FloodSize = { people: number; connections: number };

const BEFORE_MS = 2_000;
const AFTER_MS = 6_000;
const ADDRESSES = 5;
/** A shopper who waits longer than this thinks that the shop is broken. */
const PATIENCE_MS = 2_000;

/** Addresses that any stranger can make up, each different every time. */
const MADE_UP: readonly ((word: string) => string)[] = [
  (word) => `/orders/${word}`,
  (word) => `/zh-CN/pay/sandbox/${word}`,
  (word) => `/admin/sales/${word}`,
  (word) => `/?${word}=1`,
  (word) => `/zh-CN/${word}/${word}`,
  (word) => `/${word}.php?id=1`,
  (word) => `/api/${word}`,
  (word) => `/_next/static/chunks/${word}.js`,
  (word) => `/_next/image?url=%2F${word}&w=640&q=75`,
];

/**
 * Floods the shop while people buy: connections request whatever costs the shop something, as fast as they get
 * answers. There is no edge in front, which would refuse most of it: the figures show what a web process withstands
 * by itself.
 */
export async function runFlood(scene: Scene, size: FloodSize): Promise<ScenarioReport> {
  const quiet = await buyBeside(scene, size, false);
  const flooded = await buyBeside(scene, size, true);
  const { people, connections } = size;
  const row = (name: string, { units, waitsMs, answers, perSecond }: typeof quiet) => [
    name,
    `${units} of ${people}`,
    `${percentile(waitsMs, 50)} ms`,
    `${percentile(waitsMs, 95)} ms`,
    perSecond === 0 ? '–' : `${perSecond}/s: ${answers}`,
  ];
  const served = flooded.waitsMs.filter((waitMs) => waitMs <= PATIENCE_MS).length;
  return {
    scenario: 'flood',
    model: `${people} people press the button within 1.5 s of the start, while from ${BEFORE_MS / 1000} s before it ${connections} connections of ${ADDRESSES} addresses ask as fast as they are answered: states, pages, unknown sales, purchases with rubbish, entries without a session, sign-ins with wrong passwords, pages and files that are nobody’s; no edge before the shop`,
    columns: ['', 'units sold', 'click to answer, median', '95 %', 'answers to the flood'],
    rows: [row('quiet', quiet), row('flooded', flooded)],
    targets: [
      {
        what: 'units sold to people during the flood',
        target: `${people} of ${people}`,
        measured: `${flooded.units} of ${people}`,
        isMet: flooded.units === people,
      },
      {
        what: `people answered within ${PATIENCE_MS / 1000} s of their click during the flood`,
        target: '≥ 95 %',
        measured: `${Math.round((served / people) * 100)} %`,
        isMet: served >= people * 0.95,
        isTimed: true,
      },
    ],
  };
}

async function buyBeside(scene: Scene, { people, connections }: FloodSize, isFlooded: boolean) {
  const { origins, random } = scene;
  const humans = await recruitPeople(scene, people);
  const sale = await publishAttackSale(origins[0] ?? '', { stock: people, startsInMs: people * 40 + 8_000 });
  const tokens = new Map<Client, string>();
  for (const human of humans) {
    const entered = await goIn(human, sale.saleId);
    if ('refusal' in entered) throw new Error(`a shopper could not enter: ${entered.refusal}`);
    tokens.set(human, entered.entryToken);
  }
  const answers = new Tally();
  const addresses = Array.from({ length: ADDRESSES }, () => scene.newAddress());
  const hoses = Array.from({ length: isFlooded ? connections : 0 }, (_, at) =>
    hose(sale, origins[at % origins.length] ?? '', addresses[at % ADDRESSES] ?? '', at, answers),
  );
  const waitsMs = await Promise.all(
    [...tokens].map(async ([human, entryToken]) => {
      await sleep(Math.max(0, sale.startsAt - Date.now()) + random.int(50, 1_500));
      const clickedAt = performance.now();
      const gate = await untilOpen(human, sale.saleId, 0);
      await patiently(() => purchase(human, sale.saleId, { gate, entryToken }));
      return Math.round(performance.now() - clickedAt);
    }),
  );
  await Promise.all(hoses);
  const units = (await untilWritten(sale.saleId)).length;
  const asked = Object.values(answers.counts).reduce((sum, count) => sum + count, 0);
  return { units, waitsMs, answers, perSecond: Math.round(asked / ((BEFORE_MS + AFTER_MS) / 1000)) };
}

/** Sends the requests of one connection of the flood. */
async function hose(sale: AttackSale, origin: string, address: string, nth: number, answers: Tally) {
  const headers = { 'x-forwarded-for': address, 'content-type': 'application/json', origin };
  const post = (path: string, body: string, more = {}) =>
    ask(`${origin}${path}`, { method: 'POST', headers: { ...headers, ...more }, body });
  const get = (path: string) => ask(`${origin}${path}`, { headers });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const kinds = [
    () => get(`/api/sales/${sale.saleId}/state`),
    () => post(`/api/sales/${sale.saleId}/purchase/opensesame`, '{}', { 'x-entry-token': newId('t') }),
    () => get(`/api/sales/${newId('sale')}/state`),
    () => get('/'),
    () => post(`/api/sales/${sale.saleId}/entry`, '{}'),
    () => post(`/api/sales/${sale.saleId}/purchase/opensesame`, '{'),
    () => post('/api/auth/callback/credentials', `email=${newId('u')}@example.com&password=wrong`, form),
    ...MADE_UP.map((pathOf) => () => get(pathOf(newId('x')))),
  ];
  await sleep(Math.max(0, sale.startsAt - BEFORE_MS - Date.now()));
  const endAt = sale.startsAt + AFTER_MS;
  for (let n = nth; Date.now() < endAt; n += 1) {
    const reply = await kinds[n % kinds.length]?.();
    if (reply) answers.add(nameOf(reply));
  }
}
