import 'server-only';
import { randomUUID } from 'node:crypto';
import { nowMs } from '@/lib/clock';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { listGroupAt } from '@/lib/sale/list-order';
import { type ListRow, readListRows } from '@/lib/sale/list-rows';
import {
  giveListTurn,
  type ListChange,
  type ListCopy,
  MAX_CHANGES,
  publishChanges,
  readListHead,
  scanPublished,
  takeListTurn,
} from '@/lib/sale/published-list';
import { onStockChange } from '@/lib/stock/stock-changes';
import { readListedSales } from './read-listed-sales';

export const PUBLISH_SALES_EVERY_MS = 400;
const HELP_EVERY_MS = 1_000;
/** Longer than any row takes to be seen by others, clocks apart included. */
const SLACK_MS = 60_000;
/** Against whatever changes a row without a word; also how old the counters of sales may be that nobody sells any more. */
const READ_ALL_EVERY_MS = 30_000;
/** Without Postgres for longer than this nobody knows any more what sales there are. */
const BRIDGED_MS = 600_000;
/** So many of the sales that run are looked at each time; of more, each in its turn: of a thousand each once a second. */
const RUNNING_AT_ONCE = 400;
/** So many of the others, in case the word of a change got lost. */
const OTHERS_AT_ONCE = 25;

/** A row and its text, to tell whether it has changed. */
type KnownRow = ListRow & { text: string };
type Known = {
  /** The copy that everybody has; null: none. */
  copy: ListCopy | null;
  /** Sale id → its JSON in it. */
  published: Map<string, string>;
  rows: Map<string, KnownRow>;
  /** Epoch ms; 0 = never. */
  readAt: number;
  readAllAt: number;
};

const owner = randomUUID();
const nothing = (): Known => ({
  copy: null,
  published: new Map(),
  rows: new Map(),
  readAt: 0,
  readAllAt: 0,
});
let known = nothing();
let hasTurn = false;
let isSilent = false;
const [nextRunning, nextOthers] = [takeTurns(), takeTurns()];
/** Sales of which somebody said that they changed other than by a purchase. */
const touched = new Set<string>();

/**
 * Keeps the list of sales up to date for every process: reads what was changed in the admin area, the stock of the sales that run
 * and of those somebody has touched, and publishes the difference. Of all processes one does it at a time. Redis or
 * Postgres away: nothing is published, and whoever reads the list knows how old it is.
 * @param keepsTurn false: whoever else wants it may go on.
 * @returns whether this process has published.
 */
export async function publishSales({ keepsTurn = true }: { keepsTurn?: boolean } = {}): Promise<boolean> {
  listen();
  try {
    if (!hasTurn && !(await takeTurn())) return false;
    const isPublished = await publish();
    hasTurn = isPublished && keepsTurn;
    if (isPublished && !keepsTurn) await giveListTurn(owner);
    isSilent = false;
    return isPublished;
  } catch (err) {
    hasTurn = false;
    if (!isOutage(err)) throw err;
    if (!isSilent) log.warn({ err }, 'the list of sales could not be published');
    isSilent = true;
    return false;
  }
}

/**
 * Has this process publish while nobody else does: a shop without a worker has a list all the same. It asks for the turn
 * once a second and gives it back each time, so that a worker has it as soon as there is one.
 * @returns when it has tried for the first time: from then on there is a list, unless Redis or Postgres is away.
 */
export function helpPublishing(): Promise<void> {
  let isBusy = false;
  const help = async () => {
    if (isBusy) return;
    isBusy = true;
    await publishSales({ keepsTurn: false }).catch((err: unknown) =>
      log.error({ err }, 'the list of sales could not be published'),
    );
    isBusy = false;
  };
  setInterval(() => void help(), HELP_EVERY_MS).unref();
  return help();
}

function listen(): void {
  onStockChange('published-sales', {
    onChange: (saleId) => touched.add(saleId),
    onGap: () => {
      for (const saleId of known.rows.keys()) touched.add(saleId);
    },
  });
}

/** Where somebody else has published meanwhile, what they have published is read first. */
async function takeTurn(): Promise<boolean> {
  if (!(await takeListTurn(owner))) return false;
  const head = await readListHead();
  if (head && head.generation === known.copy?.generation && head.n === known.copy.n) return true;
  known = { ...nothing(), copy: head };
  if (head) {
    for await (const sales of scanPublished()) {
      for (const [saleId, json] of sales) if (json !== '') known.published.set(saleId, json);
    }
  }
  return true;
}

/** @returns false if somebody else has taken the turn. */
async function publish(): Promise<boolean> {
  const now = nowMs();
  const changed = await readRows(now);
  // Cleared before the stock is read: what is touched meanwhile is read again.
  const due = new Set([...changed, ...touched]);
  touched.clear();
  try {
    const rows = [...known.rows.values()];
    const isDue = ({ sale }: ListRow) => due.has(sale.saleId);
    const looked = [
      ...nextRunning(
        rows.filter((row) => isRunning(row, now)),
        RUNNING_AT_ONCE,
      ),
      ...nextOthers(
        rows.filter((row) => !isRunning(row, now)),
        OTHERS_AT_ONCE,
      ),
      ...rows.filter(isDue),
    ];
    const sales = await readListedSales([...new Set(looked)]);
    return await tell(sales.map((sale): ListChange => [sale.saleId, JSON.stringify(sale)]));
  } catch (error) {
    for (const saleId of due) touched.add(saleId);
    throw error;
  }
}

/**
 * Reads what may have changed in the admin area. While Postgres is away, sales go on as they were known: Redis sells them.
 * @returns the sales that changed, and those that have begun or ended since the last time.
 */
async function readRows(now: number): Promise<string[]> {
  const isAll = now - known.readAllAt >= READ_ALL_EVERY_MS;
  const since = known.readAt;
  const changed: string[] = [];
  try {
    const rows = await readListRows(isAll ? null : since - SLACK_MS);
    const kept = isAll ? new Map<string, KnownRow>() : known.rows;
    for (const row of rows) {
      const { saleId } = row.sale;
      const text = JSON.stringify(row);
      if (known.rows.get(saleId)?.text !== text) changed.push(saleId);
      kept.set(saleId, { ...row, text });
    }
    Object.assign(known, { rows: kept, readAt: now, ...(isAll && { readAllAt: now }) });
  } catch (error) {
    if (!isOutage(error) || now - since > BRIDGED_MS) throw error;
  }
  const hasCrossed = ({ sale }: ListRow) =>
    [sale.startsAt, sale.endsAt].some((at) => at > since && at <= now);
  return [...changed, ...[...known.rows.values()].filter(hasCrossed).map(({ sale }) => sale.saleId)];
}

const isRunning = ({ sale }: ListRow, now: number): boolean => listGroupAt(sale, now) === 'running';

/** Gives some of a list at a time, going on where it stopped. */
function takeTurns(): <T>(all: readonly T[], count: number) => T[] {
  let next = 0;
  return (all, count) => {
    if (next >= all.length) next = 0;
    const some = all.slice(next, next + count);
    next += count;
    return some;
  };
}

/** @returns false if somebody else has the turn, or the copy is gone with its Redis. */
async function tell(sales: readonly ListChange[]): Promise<boolean> {
  const changes = sales.filter(([saleId, json]) => known.published.get(saleId) !== json);
  for (const saleId of known.published.keys()) if (!known.rows.has(saleId)) changes.push([saleId, '']);
  // A new copy is told at once, so that nobody sees half of it.
  const size = known.copy ? MAX_CHANGES : Math.max(1, changes.length);
  for (let at = 0; at === 0 || at < changes.length; at += size) {
    const some = changes.slice(at, at + size);
    const copy = await publishChanges(owner, known.copy ?? { generation: randomUUID(), n: -1 }, some);
    if (!copy) {
      known = nothing();
      return false;
    }
    known.copy = copy;
    for (const [saleId, json] of some) {
      if (json === '') known.published.delete(saleId);
      else known.published.set(saleId, json);
    }
  }
  return true;
}
