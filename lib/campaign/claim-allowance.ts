import 'server-only';
import {
  type LedgerRow,
  lockPerson,
  readAllowances,
  writeAllowance,
} from '@/lib/campaign/records/allowance-ledger';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { transaction } from '@/lib/db/transaction';
import { isOutage } from '@/lib/errors/is-outage';
import { within } from '@/lib/errors/within';
import { log } from '@/lib/http/log';
import { healStock } from '@/lib/loading/heal-stock';
import { takeTurn } from '@/lib/lock/take-turn';
import { stockOfBuyer } from '@/lib/slice/loadings';
import { stockFor } from '@/lib/slice/numbers/stock-ids';
import { type Allowance, putAllowance } from '@/lib/stock/put-allowance';
import { readBuyer } from '@/lib/stock/read-buyer';
import { trimAllowance } from '@/lib/stock/trim-allowance';
import { limitMs } from '@/lib/time-limits';

/**
 * Bounds the claims that use Postgres at the same time, so that most of a process's 20 connections stay free for other
 * work, even with a crowd entering here.
 */
const turns = () => ({ atOnce: 8, maxWaiting: 1_000, maxWaitMs: limitMs('claimTurn') });

/**
 * `none`: the campaign's limit leaves the shopper nothing to buy in this sale. `busy`: too many ask at once, or a sale that may
 * have units to spare can't be asked.
 */
type Claim = { status: 'granted' } | { status: 'none' | 'busy'; limit: number };

/**
 * The outcome of a change. `number` is the row's, so that Redis can be told again. `unsure`: sales that keep their
 * share although it is wanted here, because Redis did not hold them.
 */
type Decided = { units: number; number: bigint; unsure: string[] };

/**
 * Gives a shopper who enters a sale of a campaign as much of the campaign's limit as the sale's own limit allows. Takes
 * back unbought shares of the campaign's other sales as far as needed. One share shrinks, in Redis and then in
 * Postgres, before the other grows: so the sum never exceeds the limit, whenever this process dies.
 * @throws connection errors of Postgres, or of the Redis that sells this sale; entering again completes the claim
 */
export async function claimAllowance(sale: SaleInfo, userId: string): Promise<Claim> {
  const limit = sale.campaign?.limitPerUser ?? null;
  if (sale.campaign === null || limit === null) return { status: 'granted' };
  const { campaignId } = sale.campaign;
  const turn = await takeTurn('claim-allowance', turns(), () => decideHealed(sale, campaignId, userId));
  if (turn.status === 'turned_away') return { status: 'busy', limit };
  const decided = turn.value;
  if (decided === null) return { status: 'granted' };
  const units = await tell(sale, campaignId, { userId, units: decided.units, number: decided.number });
  const isShort = units < Math.min(sale.limitPerUser, limit);
  if (!isShort || (await countLive(sale.saleId, userId)) < units) return { status: 'granted' };
  return { status: decided.unsure.length > 0 ? 'busy' : 'none', limit };
}

/** Tells Redis what was decided. @returns the units that it lets the person have */
async function tell(sale: SaleInfo, campaignId: string, allowance: Allowance): Promise<number> {
  const stockId = stockFor(sale.saleId, allowance.userId, sale.slices);
  if ((await putAllowance(stockId, allowance)) !== 'late') return allowance.units;
  const again = await renumber(sale.saleId, campaignId, allowance.userId);
  if (again) await putAllowance(stockId, again);
  return again?.units ?? allowance.units;
}

/**
 * Gives what Postgres lets a person have in a sale a later number. Redis has heard of a change after it that Postgres may not
 * have: what was to be taken back here stayed, because the answer came too late and the transaction left it as it was.
 * @returns null if the campaign has no limit any more
 */
function renumber(saleId: string, campaignId: string, userId: string): Promise<Allowance | null> {
  return transaction(async (tx) => {
    await lockPerson(tx, campaignId, userId);
    const ledger = await readAllowances(tx, campaignId, userId);
    const own = ledger?.rows.find((row) => row.saleId === saleId);
    if (!ledger || !own) return null;
    const { number } = ledger;
    await writeAllowance(tx, { campaignId, saleId, userId }, { units: own.units, number });
    return { userId, units: own.units, number };
  }, limitMs('claim'));
}

/** Counts the units that a shopper has in a sale, held or sold. */
async function countLive(saleId: string, userId: string): Promise<number> {
  const records = await readBuyer(saleId, userId);
  return records.reduce((sum, { state, quantity }) => sum + (state === 'released' ? 0 : quantity), 0);
}

/** Decides; if sales are missing in Redis, as after a loss, has them loaded and decides once more. */
async function decideHealed(sale: SaleInfo, campaignId: string, userId: string): Promise<Decided | null> {
  const decided = await decide(sale, campaignId, userId);
  if (!decided || decided.unsure.length === 0) return decided;
  // Not within the transaction: a load waits for it.
  const healed = await Promise.all(decided.unsure.map((saleId) => healStock(saleId)));
  return healed.includes(true) ? decide(sale, campaignId, userId) : decided;
}

/** Decides in Postgres. @returns null if the campaign has no limit */
function decide(sale: SaleInfo, campaignId: string, userId: string): Promise<Decided | null> {
  return transaction(async (tx) => {
    await lockPerson(tx, campaignId, userId);
    const ledger = await readAllowances(tx, campaignId, userId);
    if (!ledger) return null;
    const { limit, number, rows } = ledger;
    const own = rows.find(({ saleId }) => saleId === sale.saleId);
    const missing = Math.min(sale.limitPerUser, limit) - (own?.units ?? 0);
    // Only Redis may not have heard of it.
    if (own && missing <= 0) return { ...own, unsure: [] };
    const unsure: string[] = [];

    let free = limit - rows.reduce((sum, { units }) => sum + units, 0);
    for (const other of rows) {
      if (free >= missing) break;
      if (other.saleId === sale.saleId || other.units === 0) continue;
      const kept = await takeBack(other, userId, number);
      if (kept === null) unsure.push(other.saleId);
      if (kept === null || kept >= other.units) continue;
      await writeAllowance(tx, { campaignId, saleId: other.saleId, userId }, { units: kept, number });
      free += other.units - kept;
    }
    const gained = Math.max(0, Math.min(missing, free));
    if (own && gained === 0) return { ...own, unsure };
    const units = (own?.units ?? 0) + gained;
    await writeAllowance(tx, { campaignId, saleId: sale.saleId, userId }, { units, number });
    return { units, number, unsure };
  }, limitMs('claim'));
}

/**
 * Takes back what a person may have in a sale and has not bought there. @returns the units that stay; null: all,
 * because Redis can't say for certain what was bought
 */
async function takeBack(other: LedgerRow, userId: string, number: bigint): Promise<number | null> {
  try {
    const trimming = trimAllowance(stockOfBuyer(other, userId), { userId, number });
    // If that Redis can't be asked in time, its sale keeps all.
    const trimmed = await within(limitMs('claimElsewhere'), `an allowance of ${other.saleId}`, trimming);
    return trimmed.status === 'trimmed' ? trimmed.units : null;
  } catch (err) {
    if (!isOutage(err)) throw err;
    log.warn({ saleId: other.saleId, err }, 'an allowance could not be taken back');
    return null;
  }
}
