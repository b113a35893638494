import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { db } from '@/lib/db/client';
import { type Client, enter, nameOf, patiently, post, purchase } from '@/tools/harness/client';
import type { SaleTerms } from '@/tools/harness/draft-sale';
import { until } from '@/tools/harness/until';
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
import { withoutRules } from './without-rules';

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
const LAST_SECOND_MS = 1_000;
/** So many requests for one place at the same time. */
const PARALLEL = 5;

/**
 * Lets people and a farm enter a draw. The farm joins with every account, several times at once, before the opening, in the last
 * second and after the close, in other people's names, and tries to buy without being drawn.
 */
export async function runDraw(scene: Scene, size: FarmSize, isShort: boolean): Promise<ScenarioReport> {
  const rows: string[][] = [];
  const targets: ScenarioReport['targets'][number][] = [];
  for (const row of isShort ? ROWS.slice(0, 1) : ROWS) {
    const run = () => fight(scene, size, row);
    const { places, units, answers, tricks } = await (row.hasRisk ? run() : withoutRules(run));
    rows.push([row.name, shareText(places), shareText(units), percentText(units), String(answers)]);
    scene.say(`  ${row.name}: units ${shareText(units)}`);
    if (!row.isRecommended) continue;
    targets.push(shareTarget(units, size), {
      what: 'chances by parallel joins, other people’s names, early or late joins, and units by pressing',
      target: '0',
      measured: String(tricks),
      isMet: tricks === 0,
    });
  }
  return {
    scenario: 'draw',
    model:
      `${size.humans} people, each with a device and an address, enter a draw of ${size.humans} units; ${describeFarm(size)} ` +
      `join ${PARALLEL} times at once, before the opening, in the last second, after the close and in people's names`,
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

async function fight(scene: Scene, size: FarmSize, row: Row) {
  const { humans, bots } = await recruitFarm(scene, size, row.hasOwnJars);
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
  await until(`${sale.saleId} is drawn`, () => isDrawn(sale.saleId));
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

const isDrawn = async (saleId: string): Promise<boolean> =>
  (await db().line.findUniqueOrThrow({ where: { saleId } })).enlistedAt !== null;

/** Counts chances that one account has more than once, or that were given after the close. */
async function countDoubles({ saleId }: AttackSale): Promise<number> {
  const entries = await db().lineEntry.findMany({ where: { saleId, passedOver: null } });
  return entries.length - new Set(entries.map(({ userId }) => userId)).size;
}

async function readResult({ saleId, stock }: AttackSale, humans: readonly Client[]) {
  const drawn = await db().lineEntry.findMany({
    where: { saleId, passedOver: null },
    orderBy: { place: 'asc' },
  });
  return { places: sharesOf(drawn, humans), units: sharesOf(drawn.slice(0, stock), humans) };
}
