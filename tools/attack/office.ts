import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { ArithmeticSecret } from '@/lib/challenge/arithmetic/create-arithmetic';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { Reply } from '@/tools/harness/ask';
import {
  type Client,
  createClient,
  enter,
  nameOf,
  patiently,
  post,
  purchase,
  readGate,
  solve,
} from '@/tools/harness/client';
import { type ScenarioReport, Tally } from './report';
import type { Scene } from './run-attack';
import { publishAttackSale, RECOMMENDED } from './sale';
import { untilWritten } from './until-written';

/** A generous allowance: an entry with its challenge takes the shop about 20 ms. */
const ENTRY_MS = 40;
/** … and with a calculation of a moment, on the processor that all of them share here. */
const WORK_MS = 100;
/** How often a page asks again for a challenge that turned out not to be needed, or to be. */
const MOST_TRIES = 4;
const WITHIN_MS = 2_000;

/** In which sale: one that asks everybody for a sum in a picture, or one that asks by score alone. */
type Sale = { name: string; people: number; challenge: 'arithmetic' | 'none' };

/**
 * Lets many people enter and buy behind one address; the shop must not take any of them for a bot. In a second sale, up to
 * two hundred whose accounts were all made today: some of them are asked for a calculation, and all buy.
 * @param people how many
 */
export async function runOffice(scene: Scene, people: number): Promise<ScenarioReport> {
  const sales: Sale[] = [
    { name: 'a sum in a picture', people, challenge: 'arithmetic' },
    { name: 'work by score alone', people: Math.min(200, people), challenge: 'none' },
  ];
  const rows: string[][] = [];
  const targets: ScenarioReport['targets'][number][] = [];
  for (const sale of sales) {
    const { entry, bought, units, asked, isEarly } = await visit(scene, sale);
    const refused = [entry, bought]
      .flatMap(({ counts }) => Object.entries(counts))
      .reduce((sum, [name, count]) => sum + (/^(403|429)/.test(name) ? count : 0), 0);
    const slow = isEarly ? '' : ' (this machine was too slow for all to enter before the start)';
    rows.push([sale.name, String(entry), String(asked), String(bought), `${units}${slow}`]);
    targets.push({
      what: `people blocked or refused as bots, of ${sale.people}: ${sale.name}`,
      target: '0',
      measured: String(refused),
      isMet: refused === 0 && units === sale.people,
    });
  }
  return {
    scenario: 'office',
    model: `${people} people behind one address, each with a device and an account of today, enter before the start and press the button within ${WITHIN_MS / 1000} s of it, every fifth twice; recommended limits and rules, a sum in a picture as the challenge (the answer is looked up, as a person would read it). Then ${Math.min(200, people)} in a sale without a challenge, where the score asks for work`,
    columns: ['sale', 'entry', 'asked for work', 'purchase', 'units'],
    rows,
    targets,
  };
}

async function visit(scene: Scene, { people, challenge }: Sale) {
  const { origins, recruitUsers, random } = scene;
  const address = scene.newAddress();
  const users = await recruitUsers(people);
  const humans = await Promise.all(
    users.map((userId) =>
      createClient({ userId, origin: random.pick(origins), address, jar: { device: '' } }),
    ),
  );
  const sale = await publishAttackSale(origins[0] ?? '', {
    stock: people,
    startsInMs: people * (challenge === 'none' ? WORK_MS : ENTRY_MS) + 5_000,
    ...RECOMMENDED,
    challenge,
  });
  const { saleId } = sale;
  const [entry, bought] = [new Tally(), new Tally()];
  let asked = 0;
  const enterOne = async (human: Client): Promise<Reply> => {
    if (challenge !== 'none') return readAndEnter(human, saleId);
    let reply = await enter(human, saleId);
    if (nameOf(reply).endsWith('CHALLENGE_REQUIRED')) asked += 1;
    for (let tries = 0; tries < MOST_TRIES && nameOf(reply).endsWith('CHALLENGE_REQUIRED'); tries += 1) {
      const solution = await solve(human, saleId);
      // The score of a first request, before the browser has our cookie, is higher than that of the next: then there is
      // nothing to solve, and the page asks again as well.
      const isNotNeeded = 'kind' in solution && nameOf(solution).endsWith('NOT_NEEDED');
      if ('kind' in solution && !isNotNeeded) return solution;
      reply = await enter(human, saleId, 'kind' in solution ? undefined : solution);
    }
    return reply;
  };
  const limit = pLimit(8);
  const tokens = new Map<Client, string>();
  await Promise.all(
    humans.map((human) =>
      limit(async () => {
        const reply = await patiently(() => enterOne(human));
        entry.add(nameOf(reply));
        if (reply.kind === 'answered' && reply.httpStatus === 200)
          tokens.set(human, String(reply.body.entryToken));
      }),
    ),
  );
  const isEarly = Date.now() < sale.startsAt;
  await Promise.all(
    [...tokens].map(async ([human, entryToken]) => {
      await sleep(Math.max(0, sale.startsAt - Date.now()) + random.int(0, WITHIN_MS));
      let gate: string | null = null;
      while (gate === null) gate = await readGate(human, saleId);
      const open = gate;
      const press = () => purchase(human, saleId, { gate: open, entryToken });
      bought.add(nameOf(await patiently(press)));
      // An impatient person presses again.
      if (random.chance(0.2)) bought.add(nameOf(await patiently(press)));
    }),
  );
  return { entry, bought, asked, isEarly, units: (await untilWritten(saleId)).length };
}

async function readAndEnter(human: Client, saleId: string) {
  const offered = await post(human, `/api/sales/${saleId}/challenge`);
  if (offered.kind === 'unanswered' || offered.httpStatus !== 200) return offered;
  const challengeId = String(offered.body.challengeId);
  const kept = await cacheRedis().get(keys.challenge({ saleId, userId: human.userId }, challengeId));
  const { answer } = JSON.parse(kept ?? '{}') as ArithmeticSecret;
  return enter(human, saleId, { challengeId, answer: String(answer) });
}
