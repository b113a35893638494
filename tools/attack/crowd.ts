import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { db } from '@/lib/db/client';
import { type Client, enter, goIn, nameOf, post, purchase, readGate, solve } from '@/tools/harness/client';
import type { SaleTerms } from '@/tools/harness/draft-sale';
import type { Random } from '@/tools/harness/random';
import { type ScenarioReport, Tally } from './report';
import { type AttackSale, publishAttackSale, RECOMMENDED } from './sale';
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
import { withoutRules } from './without-rules';

type CrowdSize = FarmSize & {
  /** How many calculations the farm's processors can do between the opening of the entry and the start. */
  calculations: number;
};

/** How the farm attacks. */
type Farm = {
  /**
   * `shared`: few devices, each with many accounts; `five`: the farm uses five accounts of each device; `own`: a
   * cookie jar for each account.
   */
  devices: 'shared' | 'five' | 'own';
};

type Row = {
  name: string;
  farm: Farm['devices'];
  sale: Partial<SaleTerms>;
  hasRules: boolean;
  /** True for the row that the target is about. */
  isRecommended?: boolean;
};

const ROWS: readonly Row[] = [
  { name: 'recommended settings', farm: 'shared', sale: RECOMMENDED, hasRules: true, isRecommended: true },
  { name: '– without risk rules', farm: 'shared', sale: RECOMMENDED, hasRules: false },
  { name: '– without challenge', farm: 'shared', sale: { limits: RECOMMENDED.limits }, hasRules: true },
  { name: '– without limits', farm: 'shared', sale: { challenge: RECOMMENDED.challenge }, hasRules: true },
  { name: 'no defence', farm: 'shared', sale: {}, hasRules: false },
  { name: 'recommended; 5 accounts a device', farm: 'five', sale: RECOMMENDED, hasRules: true },
  { name: 'recommended; a jar per account', farm: 'own', sale: RECOMMENDED, hasRules: true },
  {
    name: '+ accounts a day old; a jar per account',
    farm: 'own',
    hasRules: true,
    sale: { ...RECOMMENDED, minAccountAgeSec: 86_400 },
  },
];

/** Time of one calculation on this machine; only sets how long to leave for entering. */
const SOLVE_MS = 250;
const HAMMER_BEFORE_MS = 3_000;
const HAMMER_EVERY_MS = 250;
const AFTER_START_MS = 4_000;

/**
 * Lets people and a farm of bots compete for the same units, with the recommended settings and with each defence left
 * out.
 */
export async function runCrowd(scene: Scene, size: CrowdSize, isShort: boolean): Promise<ScenarioReport> {
  const rows: string[][] = [];
  const targets: ScenarioReport['targets'][number][] = [];
  for (const row of isShort ? ROWS.slice(0, 1) : ROWS) {
    const run = () => fight(scene, size, row);
    const { units, tokens, answers } = await (row.hasRules ? run() : withoutRules(run));
    rows.push([row.name, shareText(tokens), shareText(units), percentText(units), String(answers)]);
    scene.say(`  ${row.name}: units ${shareText(units)}`);
    if (row.isRecommended) targets.push({ ...shareTarget(units, size), isTimed: true });
  }
  const { humans, calculations } = size;
  return {
    scenario: 'crowd',
    model:
      `${humans} people, each with a device and an address, press the button 0.3 to 1.5 s after the start; ${describeFarm(size)}, ` +
      `whose processors do ${calculations} calculations before the start, half of the accounts hammering from 3 s before it, the other half ask once, as soon as the gate is known; ${humans} units`,
    columns: [
      'settings',
      'entered (people : bots)',
      'units (people : bots)',
      'people’s share',
      'answers to bots',
    ],
    rows,
    targets,
  };
}

async function fight(scene: Scene, size: CrowdSize, row: Row) {
  const random = scene.random.fork(row.name);
  const { humans, bots } = await recruit(scene, size, row.farm);
  const solves = row.sale.challenge === undefined ? 0 : humans.length + size.calculations;
  const sale = await publishAttackSale(scene.origins[0] ?? '', {
    stock: humans.length,
    startsInMs: solves * SOLVE_MS * 1.3 + 8_000,
    ...row.sale,
  });
  if (row.farm !== 'own') await introduce(bots, sale);
  const [ofHumans, ofBots] = await Promise.all([
    enterAll(humans, sale),
    row.sale.challenge === undefined ? enterAll(bots, sale) : enterByWork(bots, sale, size.calculations),
  ]);
  const answers = new Tally();
  for (const refusal of ofBots.refusals) answers.add(`at entry ${refusal}`);
  await Promise.all([
    ...[...ofHumans.tokens].map(([human, token]) => buyLikeAPerson(human, token, sale, random)),
    attackTheStart(ofBots.tokens, sale, answers),
  ]);
  const buyers = await untilWritten(sale.saleId);
  return {
    units: sharesOf(buyers, humans),
    tokens: { humans: ofHumans.tokens.size, bots: ofBots.tokens.size },
    answers,
  };
}

async function recruit(scene: Scene, size: CrowdSize, kind: Farm['devices']) {
  const { humans, bots } = await recruitFarm(scene, size, kind === 'own');
  await db().user.updateMany({
    where: { id: { in: humans.map(({ userId }) => userId) } },
    data: { createdAt: new Date(Date.now() - 30 * 86_400_000) },
  });
  return { humans, bots: kind === 'five' ? bots.slice(0, 5 * size.devices) : bots };
}

/** Gives the farm's devices their cookies, as if they had visited before. */
async function introduce(bots: readonly Client[], { saleId }: AttackSale): Promise<void> {
  for (const bot of bots) {
    if (bot.jar === null || bot.jar.device !== '') continue;
    // Either request gives a cookie, depending on whether the sale asks for a challenge.
    await post(bot, `/api/sales/${saleId}/challenge`);
    if (bot.jar.device === '') await enter(bot, saleId);
  }
}

type Entered = { tokens: Map<Client, string>; refusals: string[] };

/**
 * Enters clients that are limited by no processor: a farm that gets no challenge, or people, each of whom has a
 * processor of their own.
 */
async function enterAll(clients: readonly Client[], { saleId }: AttackSale): Promise<Entered> {
  const entered: Entered = { tokens: new Map(), refusals: [] };
  const limit = pLimit(8);
  await Promise.all(
    clients.map((client) => limit(async () => note(entered, client, await goIn(client, saleId)))),
  );
  return entered;
}

/**
 * Lets every account ask for entry. Then the farm solves the challenges one after the other, as many as its
 * processors can.
 */
async function enterByWork(
  bots: readonly Client[],
  { saleId }: AttackSale,
  calculations: number,
): Promise<Entered> {
  const entered: Entered = { tokens: new Map(), refusals: [] };
  const limit = pLimit(8);
  const candidates: Client[] = [];
  await Promise.all(
    bots.map((bot) =>
      limit(async () => {
        const name = nameOf(await enter(bot, saleId));
        if (name.endsWith('CHALLENGE_REQUIRED')) candidates.push(bot);
        else entered.refusals.push(name);
      }),
    ),
  );
  let left = calculations;
  for (const bot of candidates) {
    if (left === 0) {
      entered.refusals.push('no time to calculate');
      continue;
    }
    const solution = await solve(bot, saleId);
    if ('kind' in solution) {
      entered.refusals.push(nameOf(solution));
      continue;
    }
    left -= 1;
    const reply = await enter(bot, saleId, solution);
    const entryToken = reply.kind === 'answered' ? reply.body.entryToken : undefined;
    note(entered, bot, typeof entryToken === 'string' ? { entryToken } : { refusal: nameOf(reply) });
  }
  return entered;
}

function note(entered: Entered, client: Client, result: { entryToken: string } | { refusal: string }): void {
  if ('entryToken' in result) entered.tokens.set(client, result.entryToken);
  else entered.refusals.push(result.refusal);
}

/**
 * Buys as the page does: waits for the start, sees that the sale is open, clicks once. Clicks again only where the
 * answer says "later".
 */
async function buyLikeAPerson(
  human: Client,
  entryToken: string,
  sale: AttackSale,
  random: Random,
): Promise<void> {
  await sleep(Math.max(0, sale.startsAt - Date.now()) + random.int(300, 1_500));
  for (let tries = 0; tries < 20; tries += 1) {
    const gate = await readGate(human, sale.saleId);
    if (gate !== null) {
      const name = nameOf(await purchase(human, sale.saleId, { gate, entryToken }));
      if (!/^(unanswered|429|503)/.test(name)) return;
      await sleep(1_000);
    } else await sleep(200);
  }
}

/**
 * Half of the accounts hammer from before the start. The other half ask at the moment one account of the farm learns
 * the gate.
 */
async function attackTheStart(
  tokens: ReadonlyMap<Client, string>,
  sale: AttackSale,
  answers: Tally,
): Promise<void> {
  const accounts = [...tokens];
  const [spy] = accounts[0] ?? [];
  if (!spy) return;
  const endAt = sale.startsAt + AFTER_START_MS;
  let gate = '';
  const ask = async ([bot, entryToken]: [Client, string]) => {
    const name = nameOf(await purchase(bot, sale.saleId, { gate: gate || 'opensesame', entryToken }));
    answers.add(name);
    return name;
  };
  const learnGate = async () => {
    await sleep(Math.max(0, sale.startsAt - 200 - Date.now()));
    while (gate === '' && Date.now() < endAt) {
      gate = (await readGate(spy, sale.saleId)) ?? '';
      if (gate === '') await sleep(10);
    }
    await Promise.all(accounts.filter((_, at) => at % 2 === 1).map(ask));
  };
  const hammer = async (account: [Client, string]) => {
    await sleep(Math.max(0, sale.startsAt - HAMMER_BEFORE_MS - Date.now()));
    while (Date.now() < endAt) {
      const name = await ask(account);
      if (name.startsWith('202') || name.endsWith('BLOCKED')) return;
      await sleep(HAMMER_EVERY_MS);
    }
  };
  await Promise.all([learnGate(), ...accounts.filter((_, at) => at % 2 === 0).map(hammer)]);
}
