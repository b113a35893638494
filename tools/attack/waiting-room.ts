import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Reply } from '@/tools/harness/ask';
import { type Client, enter, nameOf, patiently, purchase, readGate } from '@/tools/harness/client';
import { type Budget, joinAtOnce, joinLikeAPerson } from './join-line';
import { recruitSides, type Sides } from './recruit-sides';
import { type ScenarioReport, Tally, type Target } from './report';
import type { Scene } from './run-attack';
import { type AttackSale, publishAttackSale } from './sale';
import { joinFromManyDevices, judgeTricks, playBeforeStart, playInLine, type Trick } from './tricks';
import { untilWritten } from './until-written';

const MIN_SHARE = 0.9;
/** Time that a request takes this machine, generously; the farm stops joining when the sale starts. */
const JOIN_MS = 8;
const LEAST_UNTIL_START_MS = 15_000;
const MOST_UNTIL_START_MS = 150_000;
/** Less than a turn: units that wait for places of the farm to lapse count for nobody. */
const PATIENCE_MS = 90_000;
const LOOK_EVERY_MS = 400;
/** Requests of one account at the same time, by how many accounts the farm has for each person. */
const atOnce = (botsPerHuman: number): number => (botsPerHuman > 20 ? 3 : 10);
/** What the farm can calculate: some 20 s of one processor. */
const FARM_TRIES = 100_000;

/**
 * Lets people and a farm of bots wait in the same line, once for each size. The farm has many accounts and few devices and
 * addresses, joins several times at once, and asks for its entry all the time; the people join once and enter when the line
 * says so. Meanwhile the farm tries what else could bring a place.
 */
export async function runWaitingRoom(scene: Scene, sizes: readonly Sides[]): Promise<ScenarioReport> {
  const rows: string[][] = [];
  const targets: Target[] = [];
  for (const size of sizes) {
    const { places, units, answers, tricks, enteredEarly } = await fight(scene, size);
    const name = `${size.botsPerHuman} bots to each person`;
    const share = units.humans / Math.max(1, units.humans + units.bots);
    const percent = `${(share * 100).toFixed(0)} %`;
    rows.push([
      name,
      `${places.humans} : ${places.bots}`,
      `${units.humans} : ${units.bots}`,
      percent,
      String(answers),
    ]);
    scene.say(`  ${name}: places ${places.humans} : ${places.bots}, units ${units.humans} : ${units.bots}`);
    const most = Math.min(size.devices, size.addresses);
    targets.push(
      {
        what: `units for people with ${name}`,
        target: '≥ 90 %',
        measured: percent,
        isMet: share >= MIN_SHARE,
      },
      {
        what: `places of the farm with ${name}`,
        target: `≤ ${most}`,
        measured: String(places.bots),
        isMet: places.bots <= most,
      },
      {
        what: `entries before the start with ${name}`,
        target: '0',
        measured: String(enteredEarly),
        isMet: enteredEarly === 0,
      },
      judgeTricks(name, tricks),
    );
  }
  return {
    scenario: 'waiting-room',
    model:
      `${sizes.map(({ humans, botsPerHuman }) => `${humans} people and ${humans * botsPerHuman} accounts of a farm`).join(', then ')} wait for as many units as there are ` +
      'people; each person has a device and an address, all accounts are new; the sale gives one place to each device and each network. Half of the farm shares a few devices, all of it a few addresses. ' +
      'Each account of the farm joins several times at once, and the farm calculates as much as a processor does in some 20 s',
    columns: ['size', 'places (people : bots)', 'units (people : bots)', 'people’s share', 'answers to bots'],
    rows,
    targets,
  };
}

async function fight(scene: Scene, size: Sides) {
  const { humans, bots, outsiders, absent } = await recruitSides(scene, size, 'mixed');
  const times = atOnce(size.botsPerHuman);
  const joinMs = (humans.length + bots.length * times) * JOIN_MS;
  const sale = await publishAttackSale(scene.origins[0] ?? '', {
    stock: humans.length,
    startsInMs: Math.min(MOST_UNTIL_START_MS, LEAST_UNTIL_START_MS + joinMs),
    admission: 'waiting_room',
    onePlacePerDevice: true,
    placesPerNetwork: 1,
  });
  const answers = new Tally();
  const joined = new Set<string>();
  const note = (client: Client, reply: Reply) => {
    if (reply.kind === 'answered' && typeof reply.body.number === 'number') joined.add(client.userId);
  };
  const limit = pLimit(16);
  const budget: Budget = { tries: FARM_TRIES };
  await Promise.all([
    ...humans.map((human) => limit(async () => note(human, await joinLikeAPerson(human, sale.saleId)))),
    ...bots.map((bot) =>
      limit(async () => {
        // Whoever has not joined yet goes on trying in the line.
        if (Date.now() > sale.startsAt - 5_000) return;
        for (const reply of await joinAtOnce(bot, sale.saleId, { times, budget })) {
          note(bot, reply);
          answers.add(`at joining ${nameOf(reply)}`);
        }
      }),
    ),
  ]);
  const [traveller] = humans;
  if (traveller)
    await joinFromManyDevices(traveller, sale.saleId, Array.from({ length: 4 }, scene.newAddress));
  const tricks = await playBeforeStart(sale, bots.slice(0, 20), absent);
  const early = await Promise.all(
    [...humans, ...bots].slice(0, 50).map((client) => enter(client, sale.saleId)),
  );
  const enteredEarly = early.filter(
    (reply) => nameOf(reply) === '200' && reply.answeredAt < sale.startsAt,
  ).length;
  const inLine: Trick[] = [];
  let isPlayed = false;
  const beforeBuying = async (client: Client, entryToken: string) => {
    if (isPlayed) return;
    isPlayed = true;
    inLine.push(...(await playInLine(sale.saleId, { client, entryToken }, outsiders)));
  };
  await Promise.all([
    ...humans.map((human) => waitAndBuy(human, sale, new Tally(), beforeBuying)),
    ...bots.map((bot) => waitAndBuy(bot, sale, answers)),
  ]);
  const buyers = await untilWritten(sale.saleId);
  const people = new Set(humans.map(({ userId }) => userId));
  const ofHumans = buyers.filter(({ userId }) => people.has(userId)).length;
  const twice = buyers.length - new Set(buyers.map(({ userId }) => userId)).size;
  const held = [...joined].filter((userId) => people.has(userId)).length;
  return {
    places: { humans: held, bots: joined.size - held },
    units: { humans: ofHumans, bots: buyers.length - ofHumans },
    answers,
    enteredEarly,
    tricks: [
      ...tricks,
      ...inLine,
      { what: 'a second unit from one place', tried: buyers.length, worked: twice },
    ],
  };
}

/** Asks for the entry until it is given or refused for good, and buys. */
async function waitAndBuy(
  client: Client,
  sale: AttackSale,
  answers: Tally,
  beforeBuying?: (client: Client, entryToken: string) => Promise<void>,
): Promise<void> {
  const until = sale.startsAt + PATIENCE_MS;
  await sleep(Math.max(0, sale.startsAt - Date.now()));
  while (Date.now() < until) {
    const reply = await enter(client, sale.saleId);
    const name = nameOf(reply);
    if (reply.kind === 'answered' && typeof reply.body.entryToken === 'string') {
      const { entryToken } = reply.body as { entryToken: string };
      await beforeBuying?.(client, entryToken);
      const gate = await readGate(client, sale.saleId);
      if (gate === null) return;
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
