import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { db } from '@/lib/db/client';
import { type Client, createClient, enter, nameOf, patiently, post, purchase } from '@/tools/harness/client';
import type { SaleTerms } from '@/tools/harness/draft-sale';
import { type ScenarioReport, Tally } from './report';
import type { Scene } from './run-attack';
import { type AttackSale, publishAttackSale } from './sale';
import { withoutRules } from './without-rules';

type DrawSize = { humans: number; botsPerHuman: number; devices: number; addresses: number };

/** Our advice for a draw that bots will join. */
const RULES = { onePlacePerDevice: true, placesPerNetwork: 3 } as const;

type Row = {
  name: string;
  sale: Partial<SaleTerms>;
  hasOwnJars?: boolean;
  hasRisk: boolean;
  isRecommended?: boolean;
};

const ROWS: readonly Row[] = [
  { name: 'recommended settings', sale: RULES, hasRisk: true, isRecommended: true },
  { name: '– without risk rules', sale: RULES, hasRisk: false },
  { name: 'one chance per device only', sale: { onePlacePerDevice: true }, hasRisk: false },
  { name: 'no rule', sale: {}, hasRisk: false },
  { name: 'recommended; a jar per account', sale: RULES, hasOwnJars: true, hasRisk: true },
];

const JOIN_MS = 25;
const MIN_SHARE = 0.9;
const DRAWN_WITHIN_MS = 60_000;
const LAST_SECOND_MS = 1_000;
/** So many requests for one place at the same time. */
const PARALLEL = 5;

/**
 * Lets people and a farm enter a draw. The farm joins with every account, several times at once, before the opening, in the last
 * second and after the close, in other people's names, and tries to buy without being drawn.
 */
export async function runDraw(
  scene: Scene,
  size: DrawSize,
  { isShort }: { isShort: boolean },
): Promise<ScenarioReport> {
  const rows: string[][] = [];
  const targets: ScenarioReport['targets'][number][] = [];
  const { humans, botsPerHuman, devices, addresses } = size;
  for (const row of isShort ? ROWS.slice(0, 1) : ROWS) {
    const run = () => fight(scene, size, row);
    const { places, units, answers, tricks } = await (row.hasRisk ? run() : withoutRules(run));
    const share = units.humans / Math.max(1, units.humans + units.bots);
    const percent = `${(share * 100).toFixed(0)} %`;
    rows.push([
      row.name,
      `${places.humans} : ${places.bots}`,
      `${units.humans} : ${units.bots}`,
      percent,
      String(answers),
    ]);
    scene.say(`  ${row.name}: units ${units.humans} : ${units.bots}`);
    if (!row.isRecommended) continue;
    targets.push(
      {
        what: `units for people with ${botsPerHuman} bots to each`,
        target: '≥ 90 %',
        measured: percent,
        isMet: share >= MIN_SHARE,
      },
      {
        what: 'chances by parallel joins, other people’s names, early or late joins, and units by pressing',
        target: '0',
        measured: String(tricks),
        isMet: tricks === 0,
      },
    );
  }
  return {
    scenario: 'draw',
    model:
      `${humans} people, each with a device and an address, enter a draw of ${humans} units; ${humans * botsPerHuman} accounts of a farm on ${devices} devices and ` +
      `${addresses} addresses join ${PARALLEL} times at once, before the opening, in the last second, after the close and in people's names`,
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

async function fight(scene: Scene, size: DrawSize, row: Row) {
  const { humans, bots } = await recruit(scene, size, row.hasOwnJars === true);
  const joinMs = (humans.length + bots.length * PARALLEL) * JOIN_MS;
  const sale = await publishAttackSale(scene.origins[0] ?? '', {
    stock: humans.length,
    startsInMs: joinMs + 10_000,
    admission: 'draw',
    waitlist: true,
    ...row.sale,
  });
  const answers = new Tally();
  const limit = pLimit(8);
  const join = (client: Client, body: object = {}) =>
    post(client, `/api/sales/${sale.saleId}/line`, {
      body: { nonce: randomBytes(16).toString('base64url'), ...body },
    });
  const people = humans.map((human) => limit(() => joinLikeAPerson(human, join)));
  const [late, early] = [bots.slice(0, Math.ceil(bots.length / 10)), bots.slice(Math.ceil(bots.length / 10))];
  const farm = early.map((bot, at) =>
    limit(async () => {
      const victim = humans[at % humans.length]?.userId;
      const replies = await Promise.all(
        Array.from({ length: PARALLEL }, (_, nth) => join(bot, nth === 0 ? { userId: victim } : {})),
      );
      for (const reply of replies) answers.add(nameOf(reply));
    }),
  );
  await Promise.all([...people, ...farm]);
  await sleep(Math.max(0, sale.startsAt - LAST_SECOND_MS - Date.now()));
  await Promise.all(late.map(async (bot) => answers.add(nameOf(await join(bot)))));
  await sleep(Math.max(0, sale.startsAt + 50 - Date.now()));
  // After the close: a bot that is told of a place had it before.
  let lateJoins = 0;
  for (const bot of bots.slice(-20)) if (nameOf(await join(bot)).startsWith('201')) lateJoins += 1;
  const pressed = await press(bots.slice(0, 20), sale);
  await untilDrawn(sale.saleId);
  return {
    ...(await readResult(sale, humans)),
    answers,
    tricks: lateJoins + pressed + (await countDoubles(sale)),
  };
}

/** A browser that comes for the first time gets its cookie with the first answer, and asks again. */
async function joinLikeAPerson(human: Client, join: (client: Client) => ReturnType<typeof post>) {
  const reply = await patiently(() => join(human));
  if (nameOf(reply).endsWith('DEVICE_REQUIRED')) await patiently(() => join(human));
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

/** Counts chances that one account has more than once, or that were given after the close. */
async function countDoubles({ saleId }: AttackSale): Promise<number> {
  const entries = await db().lineEntry.findMany({ where: { saleId, passedOver: null } });
  return entries.length - new Set(entries.map(({ userId }) => userId)).size;
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

async function recruit(scene: Scene, size: DrawSize, hasOwnJars: boolean) {
  const { random, origins, recruitUsers } = scene;
  const ids = await recruitUsers(size.humans * (1 + size.botsPerHuman));
  const make = (userId: string, address: string, jar: Client['jar']) =>
    createClient({ userId, origin: random.pick(origins), address, jar });
  const addresses = Array.from({ length: size.addresses }, () => scene.newAddress());
  const jars = Array.from({ length: size.devices }, () => ({ device: '' }));
  const [people, accounts] = [ids.slice(0, size.humans), ids.slice(size.humans)];
  return {
    humans: await Promise.all(people.map((userId) => make(userId, scene.newAddress(), { device: '' }))),
    bots: await Promise.all(
      accounts.map((userId, at) =>
        make(
          userId,
          addresses[at % size.addresses] ?? '',
          hasOwnJars ? { device: '' } : (jars[at % size.devices] ?? null),
        ),
      ),
    ),
  };
}
