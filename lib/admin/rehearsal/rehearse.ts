import 'server-only';
import type { RehearsalReport } from '@/lib/contract/shapes/rehearsal';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { findLine } from '@/lib/line/find-line';
import { confirmStock } from '@/lib/stock/confirm-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { judgeRehearsal } from './judge-rehearsal';
import { type PlannedShopper, planCrowd } from './plan-crowd';
import { planLine } from './plan-line';
import { type Answered, runCrowd } from './run-crowd';
import { runDraw } from './run-draw';
import { runLine } from './run-line';
import { settleDraw } from './settle-draw';
import { keepShadow, openShadow, readShadow, removeShadow, type ShadowSale } from './shadow-sale';

/** Leaves time for shoppers who come too early. */
const STARTS_IN_MS = 1_500;
const AT_ONCE = 200;
const KEEP_EVERY_MS = 250;

/**
 * Sends a made-up crowd to a copy of the sale's stock in Redis, as the sale admits people: all at once, from a waiting room, or
 * drawn by lot. Scripts, limits and settings are the sale's own, the keys are not. Then four in five pay, the others run
 * out of time, and the books are compared. Nothing reaches Postgres and no message is sent. The times don't include browsers,
 * network and web processes.
 * @param rehearsalId if it ran before under this id, first removes what is left of that run @param onProgress share
 *   done, 0 to 1
 * @param random from 0, below 1 @param signal ends it at once @throws connection errors; what is left in Redis then expires;
 *   the signal's reason, once the shadow is gone
 */
export async function rehearse(
  sale: SaleInfo,
  { rehearsalId, shoppers }: { rehearsalId: string; shoppers: number },
  onProgress: (share: number) => void,
  random: () => number = Math.random,
  signal?: AbortSignal,
): Promise<RehearsalReport> {
  const crowd = planCrowd(shoppers, sale.limitPerUser, random);
  const reserved = crowd.filter(({ isReserved }) => isReserved).map(({ userId }) => userId);
  const startsInMs = sale.admission === 'first_come' ? STARTS_IN_MS : 0;
  const shadow = await openShadow(sale, rehearsalId, startsInMs, reserved);
  const { saleId } = shadow;
  const keeping = setInterval(() => keepShadow(saleId).catch(() => {}), KEEP_EVERY_MS);
  const payers = new Set(crowd.filter(({ willPay }) => willPay).map(({ userId }) => userId));
  const run = { sale, shadow, crowd, payers, onProgress, signal };
  try {
    return await (sale.admission === 'draw' ? draw(run, random) : sell(run, random));
  } finally {
    clearInterval(keeping);
    await removeShadow(
      saleId,
      crowd.flatMap(({ presses }) =>
        presses.flatMap(({ address, userId }) => [['ip', address] as const, ['device', userId] as const]),
      ),
    );
  }
}

type Run = {
  sale: SaleInfo;
  shadow: ShadowSale;
  crowd: readonly PlannedShopper[];
  payers: ReadonlySet<string>;
  onProgress: (share: number) => void;
  signal: AbortSignal | undefined;
};

/** Has the crowd press, at once or as a line lets it in. */
async function sell(
  { sale, shadow, crowd, payers, onProgress, signal }: Run,
  random: () => number,
): Promise<RehearsalReport> {
  const { saleId, startsAt } = shadow;
  const tell = (share: number) => onProgress(share * 0.7);
  const { answered, line } =
    sale.admission === 'first_come'
      ? { answered: await runCrowd(sale, shadow, crowd, tell, signal), line: undefined }
      : await runLine(
          sale,
          shadow,
          {
            standers: planLine(crowd, true, random),
            perMinute: (await findLine(sale.saleId))?.perMinute ?? null,
          },
          tell,
          signal,
        );
  const afterCrowd = await readShadow(saleId);
  const accepted = answered.filter(({ status }) => status === 'accepted');
  for (let from = 0; from < accepted.length; from += AT_ONCE) {
    signal?.throwIfAborted();
    await Promise.all(accepted.slice(from, from + AT_ONCE).map((one) => settle(saleId, one, payers)));
    onProgress(0.7 + 0.3 * (from / accepted.length));
  }
  const unitsOf = (isPaid: boolean) =>
    accepted
      .filter(({ press }) => payers.has(press.userId) === isPaid)
      .reduce((sum, { press }) => sum + press.quantity, 0);
  const { stock: afterPayment } = await readShadow(saleId);
  const books = {
    startsAt,
    afterCrowd,
    afterPayment,
    paidUnits: unitsOf(true),
    releasedUnits: unitsOf(false),
  };
  return judgeRehearsal(sale, crowd, answered, books, line && { line });
}

/** Draws who gets a unit; what is not paid for goes to the next. */
async function draw(
  { sale, shadow, crowd, payers, onProgress, signal }: Run,
  random: () => number,
): Promise<RehearsalReport> {
  const { saleId, startsAt } = shadow;
  const entrants = planLine(crowd, false, random);
  const chances = await runDraw(sale, shadow, entrants, (share) => onProgress(share * 0.5), signal);
  const afterCrowd = await readShadow(saleId);
  const drawn = afterCrowd.owners.size;
  const ahead = chances.slice(drawn).filter(({ userId }) => afterCrowd.owners.has(userId)).length;
  const tell = (share: number) => onProgress(0.5 + share * 0.5);
  const { paid, released } = await settleDraw(saleId, payers, tell, signal);
  const { stock: afterPayment, owners } = await readShadow(saleId);
  const books = { startsAt, afterCrowd, afterPayment, paidUnits: paid, releasedUnits: released };
  const figures = { entrants: chances.length, drawn, givenOn: owners.size - drawn, bought: paid };
  return judgeRehearsal(sale, crowd, [], books, { draw: { ...figures, ahead } });
}

async function settle(saleId: string, { press, orderNo }: Answered, payers: ReadonlySet<string>) {
  const order = { saleId, userId: press.userId, orderNo: orderNo ?? '' };
  await (payers.has(press.userId) ? confirmStock(order) : releaseStock(order));
}
