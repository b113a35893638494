import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { db } from '@/lib/db/client';
import { type Client, enter, nameOf, purchase } from '@/tools/harness/client';
import type { SaleTerms } from '@/tools/harness/draft-sale';
import { type Budget, join, joinAtOnce, joinLikeAPerson } from './join-line';
import { type Jars, recruitSides, type Sides } from './recruit-sides';
import { type ScenarioReport, Tally } from './report';
import type { Scene } from './run-attack';
import { type AttackSale, publishAttackSale } from './sale';
import { joinFromManyDevices, judgeTricks, playBeforeStart } from './tricks';
import { withoutRules } from './without-rules';

/** What we advise for a draw that bots will come to. */
const RULES = { onePlacePerDevice: true, placesPerNetwork: 1 } as const;

type Row = {
  name: string;
  sale: Partial<SaleTerms>;
  jars?: Jars;
  hasRisk: boolean;
  isRecommended?: boolean;
};

const RECOMMENDED_ROW: Row = {
  name: 'recommended settings',
  sale: RULES,
  jars: 'mixed',
  hasRisk: true,
  isRecommended: true,
};
const OTHER_ROWS: readonly Row[] = [
  { name: '– without risk rules', sale: RULES, hasRisk: false },
  { name: 'three chances per network', sale: { ...RULES, placesPerNetwork: 3 }, jars: 'own', hasRisk: true },
  { name: 'one chance per device only', sale: { onePlacePerDevice: true }, hasRisk: false },
  { name: 'work by score only; a jar per account', sale: {}, jars: 'own', hasRisk: true },
  { name: 'no rule', sale: {}, hasRisk: false },
];

/** Time that a request takes this machine, generously. */
const JOIN_MS = 8;
const LEAST_UNTIL_START_MS = 15_000;
const MOST_UNTIL_START_MS = 150_000;
/** What the farm can calculate: some 20 s of one processor. */
const FARM_TRIES = 100_000;
const MIN_SHARE = 0.9;
const DRAWN_WITHIN_MS = 60_000;
const LAST_SECOND_MS = 1_000;
/** So many requests for one place at the same time, by how many accounts the farm has for each person. */
const atOnce = (botsPerHuman: number): number => (botsPerHuman > 20 ? 3 : 5);

/**
 * Lets people and a farm enter a draw, once for each size; the first also with other settings. The farm joins with every
 * account, several times at once, in the last second and after the close, in other people's names, and tries to buy
 * without being drawn.
 */
export async function runDraw(
  scene: Scene,
  sizes: readonly Sides[],
  { isShort }: { isShort: boolean },
): Promise<ScenarioReport> {
  const rows: string[][] = [];
  const targets: ScenarioReport['targets'][number][] = [];
  const fights = sizes.map((size) => ({ size, row: RECOMMENDED_ROW }));
  if (!isShort) fights.push(...OTHER_ROWS.map((row) => ({ size: sizes[0] as Sides, row })));
  for (const { size, row } of fights) {
    const run = () => fight(scene, size, row);
    const { places, units, answers, tricks } = await (row.hasRisk ? run() : withoutRules(run));
    const share = units.humans / Math.max(1, units.humans + units.bots);
    const percent = `${(share * 100).toFixed(0)} %`;
    const name = `${size.botsPerHuman} bots to each person`;
    rows.push([
      `${name}; ${row.name}`,
      `${places.humans} : ${places.bots}`,
      `${units.humans} : ${units.bots}`,
      percent,
      String(answers),
    ]);
    scene.say(
      `  ${name}; ${row.name}: chances ${places.humans} : ${places.bots}, units ${units.humans} : ${units.bots}`,
    );
    if (!row.isRecommended) continue;
    targets.push(
      {
        what: `units for people with ${name}`,
        target: '≥ 90 %',
        measured: percent,
        isMet: share >= MIN_SHARE,
      },
      judgeTricks(name, tricks),
    );
  }
  return {
    scenario: 'draw',
    model:
      `${sizes.map(({ humans, botsPerHuman }) => `${humans} people and ${humans * botsPerHuman} accounts of a farm`).join(', then ')} enter a draw of as many units as there are ` +
      'people; each person has a device and an address, all accounts are new. The farm, on a few devices and addresses, joins several times at once, in the last second, after the close and in ' +
      'other people’s names, and calculates as much as a processor does in some 20 s',
    columns: [
      'settings',
      'chances (people : bots)',
      'won (people : bots)',
      'people’s share',
      'answers to bots',
    ],
    rows,
    targets,
  };
}

async function fight(scene: Scene, size: Sides, row: Row) {
  const { humans, bots, absent } = await recruitSides(scene, size, row.jars ?? 'shared');
  const times = atOnce(size.botsPerHuman);
  const joinMs = (humans.length + bots.length * times) * JOIN_MS;
  const sale = await publishAttackSale(scene.origins[0] ?? '', {
    stock: humans.length,
    startsInMs: Math.min(MOST_UNTIL_START_MS, LEAST_UNTIL_START_MS + joinMs),
    admission: 'draw',
    waitlist: true,
    ...row.sale,
  });
  const { saleId, startsAt } = sale;
  const answers = new Tally();
  const limit = pLimit(16);
  const budget: Budget = { tries: FARM_TRIES };
  const people = humans.map((human) => limit(() => joinLikeAPerson(human, saleId)));
  const lateCount = Math.min(50, Math.ceil(bots.length / 10));
  const [late, early] = [bots.slice(0, lateCount), bots.slice(lateCount)];
  const farm = early.map((bot, at) =>
    limit(async () => {
      if (Date.now() > startsAt - 5_000) return;
      const body = (nth: number) => (nth === 0 ? { userId: absent[at % absent.length] } : {});
      for (const reply of await joinAtOnce(bot, saleId, { times, budget, body })) answers.add(nameOf(reply));
    }),
  );
  await Promise.all([...people, ...farm]);
  const [traveller] = humans;
  if (traveller) await joinFromManyDevices(traveller, saleId, Array.from({ length: 4 }, scene.newAddress));
  const tricks = await playBeforeStart(sale, bots.slice(0, 20), absent);
  await sleep(Math.max(0, startsAt - LAST_SECOND_MS - Date.now()));
  await Promise.all(late.map(async (bot) => answers.add(nameOf(await join(bot, saleId)))));
  await sleep(Math.max(0, startsAt + 50 - Date.now()));
  // After the close: whoever is told of a place had it before.
  const tardy = bots.slice(-20);
  let lateJoins = 0;
  for (const bot of tardy) if (nameOf(await join(bot, saleId)).startsWith('201')) lateJoins += 1;
  const pressing = bots.slice(0, 20);
  const pressed = await press(pressing, sale);
  await untilDrawn(saleId);
  return {
    ...(await readResult(sale, humans)),
    answers,
    tricks: [
      ...tricks,
      { what: 'a chance after the close', tried: tardy.length, worked: lateJoins },
      { what: 'buying without being drawn', tried: pressing.length, worked: pressed },
    ],
  };
}

/** Tries to buy without being drawn. @returns how often it worked */
async function press(bots: readonly Client[], { saleId }: AttackSale): Promise<number> {
  let bought = 0;
  for (const bot of bots) {
    const entered = await enter(bot, saleId);
    const entryToken = entered.kind === 'answered' ? entered.body.entryToken : undefined;
    const reply = await purchase(bot, saleId, {
      gate: 'opensesame',
      ...(typeof entryToken === 'string' ? { entryToken } : {}),
    });
    if (typeof entryToken === 'string' || nameOf(reply).startsWith('202')) bought += 1;
  }
  return bought;
}

async function untilDrawn(saleId: string): Promise<void> {
  for (const until = Date.now() + DRAWN_WITHIN_MS; Date.now() < until; await sleep(200)) {
    const { enlistedAt } = await db().line.findUniqueOrThrow({ where: { saleId } });
    if (enlistedAt) return;
  }
  throw new Error(`${saleId} was not drawn within ${DRAWN_WITHIN_MS} ms`);
}

async function readResult({ saleId, stock }: AttackSale, humans: readonly Client[]) {
  const people = new Set(humans.map(({ userId }) => userId));
  const drawn = await db().lineEntry.findMany({
    where: { saleId, passedOver: null },
    orderBy: { place: 'asc' },
  });
  const split = (entries: typeof drawn) => {
    const ofHumans = entries.filter(({ userId }) => people.has(userId)).length;
    return { humans: ofHumans, bots: entries.length - ofHumans };
  };
  return { places: split(drawn), units: split(drawn.slice(0, stock)) };
}
