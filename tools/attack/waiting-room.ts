import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type Client, enter, nameOf, patiently, post, purchase, readGate } from '@/tools/harness/client';
import { type ScenarioReport, Tally } from './report';
import { type AttackSale, publishAttackSale } from './sale';
import {
  describeFarm,
  type FarmSize,
  percentText,
  recruitFarm,
  type Scene,
  sharesOf,
  shareTarget,
  shareText,
} from './scene';
import { untilWritten } from './until-written';

const START_IN_MS = 20_000;
/** Less than a turn: units that wait for places of the farm to lapse count for nobody. */
const PATIENCE_MS = 90_000;
const LOOK_EVERY_MS = 400;
/** Processes of a bot that all join at once. */
const AT_ONCE = 10;

/**
 * Lets people and a farm of bots wait in the same line. The farm has many accounts and few devices and addresses, joins
 * with ten processes at once, and asks for its entry all the time; the people join once and enter when the line says so.
 */
export async function runWaitingRoom(scene: Scene, size: FarmSize): Promise<ScenarioReport> {
  const { humans, bots } = await recruitFarm(scene, size);
  const sale = await publishAttackSale(scene.origins[0] ?? '', {
    stock: humans.length,
    startsInMs: START_IN_MS,
    admission: 'waiting_room',
    onePlacePerDevice: true,
    placesPerNetwork: 1,
  });
  const answers = new Tally();
  const places = await joinAll(humans, bots, sale, answers);
  const early = await Promise.all(bots.slice(0, 50).map((bot) => enter(bot, sale.saleId)));
  const enteredEarly = early.filter((reply) => nameOf(reply) === '200').length;
  await Promise.all([...humans, ...bots].map((client) => waitAndBuy(client, sale, answers)));
  const units = sharesOf(await untilWritten(sale.saleId), humans);
  const mostOfFarm = Math.min(size.devices, size.addresses);
  return {
    scenario: 'waiting-room',
    model: `${size.humans} people with a device and an address each, and ${describeFarm(size)}, wait for ${size.humans} units; the sale gives one place to each device and to each network. Each account of the farm joins ${AT_ONCE} times at once and asks for its entry ceaselessly`,
    columns: ['places (people : bots)', 'units (people : bots)', 'people’s share', 'answers to bots'],
    rows: [[shareText(places), shareText(units), percentText(units), String(answers)]],
    targets: [
      shareTarget(units, size),
      {
        what: 'accounts with more than one place',
        target: '0',
        measured: String(places.twice),
        isMet: places.twice === 0,
      },
      {
        what: 'places of the farm',
        target: `≤ ${mostOfFarm}`,
        measured: String(places.bots),
        isMet: places.bots <= mostOfFarm,
      },
      {
        what: 'entries before the start',
        target: '0',
        measured: String(enteredEarly),
        isMet: enteredEarly === 0,
      },
    ],
  };
}

/** Joins as a page does: a browser without our cookie gets it with the refusal, and asks again. */
async function join(client: Client, { saleId }: AttackSale) {
  const ask = () => patiently(() => post(client, `/api/sales/${saleId}/line`));
  const reply = await ask();
  return nameOf(reply).endsWith('DEVICE_REQUIRED') ? ask() : reply;
}

async function joinAll(humans: readonly Client[], bots: readonly Client[], sale: AttackSale, answers: Tally) {
  const limit = pLimit(16);
  const numbers = new Map<string, Set<number>>();
  const note = (client: Client, reply: Awaited<ReturnType<typeof join>>) => {
    if (reply.kind !== 'answered' || typeof reply.body.number !== 'number') return;
    numbers.set(client.userId, (numbers.get(client.userId) ?? new Set()).add(reply.body.number));
  };
  await Promise.all([
    ...humans.map((human) => limit(async () => note(human, await join(human, sale)))),
    ...bots.map((bot) =>
      limit(async () => {
        const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => join(bot, sale)));
        for (const reply of replies) {
          note(bot, reply);
          answers.add(`at joining ${nameOf(reply)}`);
        }
      }),
    ),
  ]);
  const owners = [...numbers.keys()].map((userId) => ({ userId }));
  return {
    ...sharesOf(owners, humans),
    twice: [...numbers.values()].filter(({ size }) => size > 1).length,
  };
}

/** Asks for the entry until it is given or refused for good, and buys. */
async function waitAndBuy(client: Client, sale: AttackSale, answers: Tally): Promise<void> {
  const until = sale.startsAt + PATIENCE_MS;
  await sleep(Math.max(0, sale.startsAt - Date.now()));
  while (Date.now() < until) {
    const reply = await enter(client, sale.saleId);
    const name = nameOf(reply);
    if (reply.kind === 'answered' && typeof reply.body.entryToken === 'string') {
      const gate = await readGate(client, sale.saleId);
      if (gate === null) return;
      const { entryToken } = reply.body as { entryToken: string };
      await patiently(() => purchase(client, sale.saleId, { gate, entryToken }));
      return;
    }
    if (!/NOT_ADMITTED|unanswered|429|503/.test(name)) {
      answers.add(`at entry ${name}`);
      return;
    }
    await sleep(LOOK_EVERY_MS);
  }
}
