import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { ArithmeticSecret } from '@/lib/challenge/arithmetic/create-arithmetic';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { type Client, enter, nameOf, patiently, post, purchase } from '@/tools/harness/client';
import { type ScenarioReport, Tally } from './report';
import { publishAttackSale, RECOMMENDED } from './sale';
import { type Scene, untilOpen } from './scene';
import { untilWritten } from './until-written';

/** A generous allowance: an entry with its challenge takes the shop about 20 ms. */
const ENTRY_MS = 40;
const WITHIN_MS = 2_000;

/**
 * Lets many people enter and buy behind one address; the shop must not take any of them for a bot.
 * @param people how many
 */
export async function runOffice(scene: Scene, people: number): Promise<ScenarioReport> {
  const { origins, random } = scene;
  const address = scene.newAddress();
  const users = await scene.recruitUsers(people);
  const humans = await Promise.all(users.map((userId) => scene.client(userId, { address })));
  const sale = await publishAttackSale(origins[0] ?? '', {
    stock: people,
    startsInMs: people * ENTRY_MS + 5_000,
    ...RECOMMENDED,
    challenge: 'arithmetic',
  });
  const { saleId } = sale;
  const [entry, bought] = [new Tally(), new Tally()];
  const limit = pLimit(8);
  const tokens = new Map<Client, string>();
  await Promise.all(
    humans.map((human) =>
      limit(async () => {
        const reply = await patiently(() => readAndEnter(human, saleId));
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
      const gate = await untilOpen(human, saleId);
      const press = () => purchase(human, saleId, { gate, entryToken });
      bought.add(nameOf(await patiently(press)));
      // An impatient person presses again.
      if (random.chance(0.2)) bought.add(nameOf(await patiently(press)));
    }),
  );
  const units = (await untilWritten(saleId)).length;
  const refused = [entry, bought]
    .flatMap(({ counts }) => Object.entries(counts))
    .reduce((sum, [name, count]) => sum + (/^(403|429)/.test(name) ? count : 0), 0);
  return {
    scenario: 'office',
    model: `${people} people behind one address, each with a device, enter before the start and press the button within ${WITHIN_MS / 1000} s of it, every fifth twice; recommended limits and rules, a sum in a picture as the challenge (the answer is looked up, as a person would read it)`,
    columns: ['step', 'answers'],
    rows: [
      ['entry', String(entry)],
      ['purchase', String(bought)],
      ['units', String(units)],
      ...(isEarly ? [] : [['', 'this machine was too slow for all to enter before the start']]),
    ],
    targets: [
      {
        what: `people blocked or refused as bots, of ${people}`,
        target: '0',
        measured: String(refused),
        isMet: refused === 0 && units === people,
      },
    ],
  };
}

async function readAndEnter(human: Client, saleId: string) {
  const offered = await post(human, `/api/sales/${saleId}/challenge`);
  if (offered.kind === 'unanswered' || offered.httpStatus !== 200) return offered;
  const challengeId = String(offered.body.challengeId);
  const kept = await cacheRedis().get(keys.challenge({ saleId, userId: human.userId }, challengeId));
  const { answer } = JSON.parse(kept ?? '{}') as ArithmeticSecret;
  return enter(human, saleId, { challengeId, answer: String(answer) });
}
