import 'server-only';
import { randomUUID } from 'node:crypto';
import { nowMs } from '@/lib/clock';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { listGroupAt } from '@/lib/sale/records/list-order';
import { type ListRow, readListRows } from '@/lib/sale/records/list-rows';
import {
  giveListTurn,
  type ListChange,
  type ListCopy,
  MAX_CHANGES,
  publishChanges,
  readListHead,
  scanPublished,
  takeListTurn,
} from '@/lib/sale/records/published-list';
import { onStockChange } from '@/lib/stock/stock-changes';
import { readListedSales } from './read-listed-sales';

export const PUBLISH_SALES_EVERY_MS = 400;
const HELP_EVERY_MS = 1_000;
/** How far back changes are read. Longer than any row takes until others see it, differences between clocks included. */
const SLACK_MS = 60_000;
/**
 * How often all rows are read, to find changes that were not reported. Also bounds the age of the counters of sales
 * that are no longer sold.
 */
const READ_ALL_EVERY_MS = 30_000;
/** The known list of sales can't be trusted once Postgres is away for longer than this. */
const BRIDGED_MS = 600_000;
/**
 * How many running sales are read each time. If there are more, they take turns: of a thousand, each is read once a
 * second.
 */
const RUNNING_AT_ONCE = 400;
/** How many other sales are read each time, in case the message of a change got lost. */
const OTHERS_AT_ONCE = 25;

/** A row and its text, which tells whether the row has changed. */
type KnownRow = ListRow & { text: string };
type Known = {
  /** The copy that all processes have; null: none. */
  copy: ListCopy | null;
  /** Sale id → its JSON in that copy. */
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
const [nextRunning, nextOthers] = [rotating(), rotating()];
/** Sales reported as changed other than by a purchase. */
const touched = new Set<string>();

/**
 * Keeps the list of sales up to date for every process: reads the changes of the admin area and the stock of running
 * and reported sales, and publishes the difference. One process does it at a time. While Redis or Postgres is away
 * nothing is published, and readers of the list know how old it is.
 * @param keepsTurn false: gives the turn back afterwards, so that another process may go on.
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
 * Lets this process publish while no other does, so that a shop without a worker has a list too. It asks for the turn
 * once a second and gives it back each time, so that a new worker gets it at once.
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

/** Takes the turn. If another process has published meanwhile, reads first what it published. */
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

/** Publishes once. @returns false if another process has taken the turn. */
async function publish(): Promise<boolean> {
  const now = nowMs();
  const changed = await readRows(now);
  // Cleared before the stock is read: a sale reported meanwhile is read again.
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
 * Reads what may have changed in the admin area. While Postgres is away, the known sales stay in the list: Redis
 * sells them.
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

/** Returns some items of a list at a time, going on where the last call stopped. */
function rotating(): <T>(all: readonly T[], count: number) => T[] {
  let next = 0;
  return (all, count) => {
    if (next >= all.length) next = 0;
    const some = all.slice(next, next + count);
    next += count;
    return some;
  };
}

/** Publishes the changes. @returns false if another process has the turn, or the copy is gone with its Redis. */
async function tell(sales: readonly ListChange[]): Promise<boolean> {
  const changes = sales.filter(([saleId, json]) => known.published.get(saleId) !== json);
  for (const saleId of known.published.keys()) if (!known.rows.has(saleId)) changes.push([saleId, '']);
  // A new copy is published in one piece, so that no process sees half of it.
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
