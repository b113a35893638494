import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/lib/db/client';
import { goIn, post, purchase, readGate } from '@/tools/harness/client';
import { createRandom, type Random } from '@/tools/harness/random';
import { until } from '@/tools/harness/until';
import type { Person } from './people';

const PAYS = 0.62;
const CLICKS_TWICE = 0.3;
const WANTS_TWO = 0.12;
const GUESSES = 480;
/** How long the script hammers, as a share of the crowd's time. */
const HAMMERS_FOR = 0.6;

type Crowd = {
  buyers: readonly Person[];
  /** Accounts of one person on one device. */
  collectors: readonly Person[];
  /** Accounts of a script at one address that guesses the gate. */
  scripts: readonly Person[];
};

/**
 * Runs a crowd at an open sale. Most buyers come soon, some click twice or want a second piece, three in five pay. A
 * collector comes with several accounts, a script hammers. Ends when the last buyer has an answer.
 * @param lastsMs time until the last buyer comes
 */
export async function runCrowd(saleId: string, { buyers, collectors, scripts }: Crowd, lastsMs: number) {
  const random = createRandom(11);
  const [first] = buyers;
  const gate = (first && (await readGate(first, saleId))) ?? '';
  await Promise.all([
    ...buyers.map((buyer, n) => {
      const own = random.fork(`buyer ${n}`);
      return sleep(lastsMs * own.next() ** 1.6).then(() => shop(saleId, gate, buyer, own));
    }),
    collect(saleId, collectors),
    hammer(saleId, scripts, lastsMs),
  ]);
}

async function shop(saleId: string, gate: string, buyer: Person, random: Random): Promise<void> {
  const entered = await goIn(buyer, saleId);
  if ('refusal' in entered) return;
  const buy = () => purchase(buyer, saleId, { gate, entryToken: entered.entryToken });
  const answer = await buy();
  if (random.chance(CLICKS_TWICE)) await buy();
  if (random.chance(WANTS_TWO)) {
    const more = await goIn(buyer, saleId);
    if ('entryToken' in more) await purchase(buyer, saleId, { gate, entryToken: more.entryToken });
  }
  const orderNo = answer.kind === 'answered' && answer.body.orderNo;
  if (!orderNo || !random.chance(PAYS)) return;
  await sleep(random.int(1_000, 9_000));
  await pay(buyer, String(orderNo));
}

/** Pays in the sandbox; waits for the order if it is not written yet. */
async function pay(buyer: Person, orderNo: string): Promise<void> {
  for (let left = 60; left > 0; left -= 1) {
    const reply = await post(buyer, `/api/orders/${orderNo}/pay`);
    if (reply.kind === 'answered' && reply.httpStatus === 200) {
      const { paymentId, redirectUrl } = reply.body;
      const token = new URL(String(redirectUrl), 'http://x').searchParams.get('token');
      await post(buyer, `/api/payments/sandbox/${paymentId}/pay`, { body: { token } });
      return;
    }
    await sleep(500);
  }
  throw new Error(`order ${orderNo} can't be paid`);
}

async function collect(saleId: string, collectors: readonly Person[]): Promise<void> {
  const [first] = collectors;
  for (const one of collectors) {
    await goIn({ ...one, address: first?.address ?? '', jar: first?.jar ?? null }, saleId);
    await sleep(300);
  }
}

async function hammer(saleId: string, scripts: readonly Person[], lastsMs: number): Promise<void> {
  const [first] = scripts;
  const as = scripts.map((one) => ({ ...one, address: first?.address ?? '' }));
  const tokens = await Promise.all(as.map((one) => goIn(one, saleId)));
  const guess = async (n: number) => {
    const [one, entered] = [as[n % as.length], tokens[n % as.length]];
    if (one && entered && 'entryToken' in entered)
      await purchase(one, saleId, { gate: 'letmein', entryToken: entered.entryToken });
  };
  // Sends by the clock, however long the answers take, because the rule counts attempts per minute.
  await Promise.all(
    Array.from({ length: GUESSES }, (_, n) =>
      sleep((lastsMs * HAMMERS_FOR * n) / GUESSES).then(() => guess(n)),
    ),
  );
}

/**
 * Buys while the account is missing in the database, as after the restore of an older backup. The order can't be
 * written and becomes a dead letter.
 */
export async function buyWithoutAccount(saleId: string, buyer: Person): Promise<void> {
  const gate = (await readGate(buyer, saleId)) ?? '';
  const entered = await goIn(buyer, saleId);
  if ('refusal' in entered) throw new Error(entered.refusal);
  const { userId } = buyer;
  const away = `${userId}-away`;
  await db().$executeRaw`UPDATE users SET id = ${away} WHERE id = ${userId}`;
  await purchase(buyer, saleId, { gate, entryToken: entered.entryToken });
  await until(
    'the order is a dead letter',
    async () => (await db().deadLetter.count({ where: { saleId } })) > 0,
  );
  await db().$executeRaw`UPDATE users SET id = ${userId} WHERE id = ${away}`;
}
