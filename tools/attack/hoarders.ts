import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/lib/db/client';
import { readStock } from '@/lib/stock/read-stock';
import { type Client, enter, goIn, nameOf, patiently, purchase } from '@/tools/harness/client';
import { median } from '@/tools/harness/stats';
import type { ScenarioReport } from './report';
import { publishAttackSale } from './sale';
import { type Scene, untilOpen } from './scene';
import { untilWritten } from './until-written';

const PAYMENT_WINDOW_SEC = 5;
/** An account or device with more unpaid orders than this is blocked. */
const ALLOWED = { account: 5, device: 3 };
const POLL_MS = 20;
const RELEASE_TIMEOUT_MS = 60_000;
const BLOCK_TIMEOUT_MS = 60_000;

/** Buys units and never pays. Measures when they are for sale again, and when the hoarder gets no more. */
export async function runHoarders(scene: Scene): Promise<ScenarioReport> {
  const { origins, recruitUsers, client } = scene;
  const [origin = ''] = origins;
  const [greedyId = '', modestId = '', ...onOneDevice] = await recruitUsers(2 + ALLOWED.device + 1);
  const greedy = await client(greedyId, { jar: null });
  const modest = await client(modestId, { jar: null });
  const jar = { device: '' };
  const clan = await Promise.all(onOneDevice.map((userId) => client(userId, { jar })));
  const hoards: [Client, number][] = [
    [greedy, ALLOWED.account + 1],
    [modest, ALLOWED.account],
    ...clan.map((member): [Client, number] => [member, 1]),
  ];
  const stock = hoards.reduce((sum, [, units]) => sum + units, 0);
  const sale = await publishAttackSale(origin, {
    stock,
    startsInMs: -1_000,
    limitPerUser: ALLOWED.account + 1,
    paymentWindowSec: PAYMENT_WINDOW_SEC,
  });
  const { saleId } = sale;
  const gate = await untilOpen(greedy, saleId);
  // On the first visit the shop gives the device its id.
  for (const member of clan) await enter(member, saleId);
  // All clients enter first, once more than needed, because no client's first order may expire before the last one is
  // made.
  const tokens = new Map<Client, string[]>();
  for (const [hoarder, units] of hoards) {
    const own: string[] = [];
    for (let at = 0; at <= units; at += 1) own.push(await tokenOf(hoarder, saleId));
    tokens.set(hoarder, own);
  }
  let bought = 0;
  for (const [hoarder, units] of hoards) {
    for (const entryToken of tokens.get(hoarder)?.slice(0, units) ?? []) {
      const reply = await patiently(() => purchase(hoarder, saleId, { gate, entryToken }));
      if (!nameOf(reply).startsWith('202')) throw new Error(`a hoarder was refused early: ${nameOf(reply)}`);
      bought += 1;
    }
  }
  const lagsMs = await watchReleases(saleId, bought, stock);
  const answersOf = async (hoarder: Client, at = gate) => {
    const entryToken = tokens.get(hoarder)?.at(-1) ?? '';
    const answers: string[] = [];
    for (const web of origins)
      answers.push(nameOf(await purchase(hoarder, saleId, { gate: at, entryToken, origin: web })));
    return answers;
  };
  /**
   * Asks with a wrong gate until the block is there. The shop checks the block before the gate. With the right gate
   * the wait could buy units, and those would cause the block themselves.
   */
  const untilBlocked = async (hoarder: Client) => {
    const deadline = Date.now() + BLOCK_TIMEOUT_MS;
    for (;;) {
      const answers = await answersOf(hoarder, 'opensesame');
      if (allBlocked(answers) || Date.now() > deadline) return answers;
      await sleep(200);
    }
  };
  const greedyAnswers = await untilBlocked(greedy);
  const clanAnswers: string[] = [];
  for (const member of clan) clanAnswers.push(...(await untilBlocked(member)));
  // This client comes last: its orders ended before the device's, so by now they have been counted, too.
  const modestAnswers = await answersOf(modest);
  return reportOf({ bought, lagsMs, clanSize: clan.length, greedyAnswers, modestAnswers, clanAnswers });
}

const allBlocked = (answers: readonly string[]) => answers.every((name) => name === '403 BLOCKED');

type Seen = {
  bought: number;
  lagsMs: readonly number[];
  clanSize: number;
  greedyAnswers: readonly string[];
  modestAnswers: readonly string[];
  clanAnswers: readonly string[];
};

function reportOf({
  bought,
  lagsMs,
  clanSize,
  greedyAnswers,
  modestAnswers,
  clanAnswers,
}: Seen): ScenarioReport {
  const mostMs = Math.max(...lagsMs);
  const list = (answers: readonly string[]) => [...new Set(answers)].join(', ');
  return {
    scenario: 'hoarders',
    model: `${bought} units bought and not paid, ${PAYMENT_WINDOW_SEC} s to pay; each process is asked afterwards`,
    columns: ['who', 'unpaid orders', 'next purchase, in every process'],
    rows: [
      ['one account without cookies', String(ALLOWED.account + 1), list(greedyAnswers)],
      ['another, with one order less', String(ALLOWED.account), list(modestAnswers)],
      [`${clanSize} accounts on one device`, '1 each', list(clanAnswers)],
      ['', 'on sale again after the deadline', `${median(lagsMs)} ms (median), ${mostMs} ms (most)`],
    ],
    targets: [
      {
        what: 'hoarded stock back on sale',
        target: '≤ 2,000 ms after its deadline',
        isTimed: true,
        measured: `${mostMs} ms`,
        isMet: mostMs <= 2_000 && lagsMs.length === bought,
      },
      {
        what: 'hoarder blocked from the sixth unpaid order on',
        target: '403 BLOCKED in every process',
        measured: list(greedyAnswers),
        isMet: allBlocked(greedyAnswers),
      },
      {
        what: 'device blocked from the fourth unpaid order on',
        target: '403 BLOCKED in every process',
        measured: list(clanAnswers),
        isMet: allBlocked(clanAnswers),
      },
      {
        what: 'five unpaid orders block nobody',
        target: 'no 403',
        measured: list(modestAnswers),
        isMet: modestAnswers.every((name) => !name.startsWith('403')),
      },
    ],
  };
}

async function tokenOf(client: Client, saleId: string): Promise<string> {
  const entry = await goIn(client, saleId);
  if ('refusal' in entry) throw new Error(`a hoarder was refused early: ${entry.refusal}`);
  return entry.entryToken;
}

/** Returns how long after its deadline each unit was for sale again, in the order of the deadlines, ms. */
async function watchReleases(saleId: string, bought: number, stock: number): Promise<number[]> {
  await untilWritten(saleId);
  const seenAt: number[] = [];
  const deadline = Date.now() + RELEASE_TIMEOUT_MS;
  while (seenAt.length < bought && Date.now() < deadline) {
    const now = await readStock(saleId);
    const released = now ? now.available - (stock - bought) : 0;
    while (seenAt.length < released) seenAt.push(now?.serverTime ?? 0);
    await sleep(POLL_MS);
  }
  const orders = await db().order.findMany({
    where: { saleId },
    select: { payBy: true },
    orderBy: { payBy: 'asc' },
  });
  return seenAt.map((at, index) => at - (orders[index]?.payBy.getTime() ?? Number.NaN));
}
