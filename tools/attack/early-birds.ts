import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/lib/db/client';
import { readStock } from '@/lib/stock/read-stock';
import { createClient, enter, goIn, nameOf, post, purchase, readGate, solve } from '@/tools/harness/client';
import type { ScenarioReport } from './report';
import { Tally } from './report';
import type { Scene } from './run-attack';
import { publishAttackSale, RECOMMENDED } from './sale';
import { untilWritten } from './until-written';

const LEAD_MS = 8_000;
const TRIES = 10;
const STOCK = 10;

/**
 * Tries to skip or hasten steps: attackers call the shop's interfaces directly, before the start or without the
 * required steps.
 */
export async function runEarlyBirds(scene: Scene): Promise<ScenarioReport> {
  const { origins, newAddress, recruitUsers } = scene;
  const [origin = ''] = origins;
  const sale = await publishAttackSale(origin, {
    stock: STOCK,
    startsInMs: LEAD_MS,
    ...RECOMMENDED,
    limits: undefined,
  });
  const { saleId } = sale;
  const other = await publishAttackSale(origin, { stock: STOCK, startsInMs: -1_000 });
  const [victimId = '', thiefId = '', strangerId = ''] = await recruitUsers(3);
  const client = (userId: string) =>
    createClient({ userId, origin, address: newAddress(), jar: { device: '' } });
  const [victim, thief, stranger] = [await client(victimId), await client(thiefId), await client(strangerId)];
  const { gate: realGate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });

  const rows: string[][] = [];
  const attempt = async (when: string, what: string, ask: (at: number) => Promise<string>) => {
    const tally = new Tally();
    for (let at = 0; at < TRIES; at += 1) tally.add(await ask(at));
    rows.push([when, what, String(tally)]);
    return tally;
  };
  const buy = async (entryToken: string | undefined, gate: string) =>
    nameOf(await purchase(thief, saleId, { gate, entryToken }));

  const solution = await solve(victim, saleId);
  if ('kind' in solution) throw new Error(`no challenge: ${nameOf(solution)}`);
  const before = 'before';
  await attempt(before, 'entry without the challenge', async () => nameOf(await enter(thief, saleId)));
  await attempt(before, 'entry with a made-up solution', async (at) =>
    nameOf(
      await enter(thief, saleId, {
        ...solution,
        answer: `{"counter":${at},"derivedKey":"${'0'.repeat(64)}"}`,
      }),
    ),
  );
  await attempt(before, 'entry with somebody else’s solution', async () =>
    nameOf(await enter(thief, saleId, solution)),
  );
  const first = await enter(victim, saleId, solution);
  const stolen = first.kind === 'answered' ? String(first.body.entryToken) : '';
  await attempt(before, 'entry with one’s own solution once more', async () =>
    nameOf(await enter(victim, saleId, solution)),
  );
  const foreign = await goIn(thief, other.saleId);
  const [payload = '', signature = ''] = stolen.split('.');
  const forged = `${payload}.${[...signature].reverse().join('')}`;
  await attempt(before, 'purchase without a token', () => buy(undefined, realGate));
  await attempt(before, 'purchase with a forged token', () => buy(forged, realGate));
  await attempt(before, 'purchase with another sale’s token', () =>
    buy('entryToken' in foreign ? foreign.entryToken : '', realGate),
  );
  await attempt(before, 'purchase at a guessed gate', (at) => buy(stolen, `guess${at}`));
  await attempt(before, 'purchase with a stolen token at the real gate', () => buy(stolen, realGate));
  await attempt(before, 'the gate from the state', async () =>
    (await readGate(stranger, saleId)) === null ? 'not told' : 'TOLD',
  );
  const isEarly = Date.now() < sale.startsAt;
  const early = await readStock(saleId);
  const unitsBefore = early ? early.held + early.sold : Number.NaN;

  await sleep(Math.max(0, sale.startsAt - Date.now()) + 200);
  let gate: string | null = null;
  while (gate === null) gate = await readGate(stranger, saleId);
  const open = gate;
  const after = 'after';
  await attempt(after, 'purchase without a token', () => buy(undefined, open));
  await attempt(after, 'purchase with a forged token', () => buy(forged, open));
  await attempt(after, 'purchase at a guessed gate', (at) => buy(stolen, `guess${at}`));
  await attempt(after, 'entry without the challenge, then purchase', async () => {
    const entry = await enter(thief, saleId);
    return entry.kind === 'answered' && entry.httpStatus === 200 ? 'ENTERED' : nameOf(entry);
  });
  await attempt(after, 'purchase with a stolen token, again and again', async () => {
    const reply = await purchase(thief, saleId, { gate: open, entryToken: stolen });
    return reply.kind === 'answered' && reply.body.replay === true
      ? '202, its owner’s first answer'
      : nameOf(reply);
  });
  const other403 = await post(thief, `/api/sales/${saleId}/entry`, { body: { challenge: solution } });
  rows.push([after, 'the used solution again', nameOf(other403)]);

  const buyers = await untilWritten(saleId);
  const ofOthers = buyers.filter(({ userId }) => userId !== victimId).length;
  const ofVictim = buyers.length - ofOthers;
  return {
    scenario: 'early-birds',
    model: `direct calls, ${TRIES} of each kind, against a sale with a challenge: ${STOCK} units, one customer who has really entered and whose token is stolen`,
    columns: ['start', 'attempt', 'answers'],
    rows: [
      ...rows,
      [
        '',
        'units before the start : of attackers : of the customer',
        `${unitsBefore} : ${ofOthers} : ${ofVictim}`,
      ],
    ],
    targets: [
      {
        what: 'units before the start',
        target: '0',
        measured: String(unitsBefore),
        // If the attempts came after the start, the machine was too slow, so a miss counts as a matter of timing.
        isTimed: !isEarly,
        isMet: isEarly && unitsBefore === 0 && buyers.every(({ acceptedAt }) => acceptedAt >= sale.startsAt),
      },
      {
        what: 'units without entry and challenge',
        target: '0',
        measured: String(ofOthers),
        isMet: ofOthers === 0,
      },
      {
        what: 'units for a token that was stolen and used again and again',
        target: '≤ 1, its owner’s',
        measured: String(ofVictim),
        isMet: ofVictim <= 1,
      },
    ],
  };
}
