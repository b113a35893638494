import 'server-only';
import type { Leaf } from '@/lib/contract/shapes/decision-log';
import type { Db } from '@/lib/db/client';
import { openingOf, pseudonymOf } from '@/lib/decision-log/pseudonym';
import { fault } from './faults';
import { toBeNamed } from './name-accounts';

const PAGE = 10_000;
/** As many of a kind as are told of. */
const EXAMPLES = 5;

type List = 'line' | 'waitlist';
/** The log's record of one place. `who` is missing if the place was taken before places were logged. */
type Logged = {
  who?: string;
  order?: string;
  nonce?: string;
  variant?: number;
  drawn?: string;
  left?: string;
  given?: string;
  passed?: string;
};
/** The same as the books say. `at` are the times that tell whether it must be in the log. */
type Booked = {
  number: number;
  userId: string;
  order: string | null;
  nonce: string | null;
  variant: number;
  drawn: string | null;
  left: string | null;
  given: string | null;
  passed: string | null;
  joinedAt: Date;
  leftAt: Date | null;
  drawnAt: Date | null;
  givenAt: Date | null;
  passedAt: Date | null;
};

const LISTS = { line: 'in the line', waitlist: 'on the waitlist' } as const;

const drawnText = (place: unknown, weight: unknown, passedOver: unknown): string =>
  `drawn at place ${place} with weight ${weight}, ${passedOver === null ? 'gets a unit in turn' : `passed over: ${passedOver}`}`;
const passedText = (why: unknown): string => `passed over: ${why}`;
const LEFT = 'left';
const GIVEN = 'given a unit';

/** The places of a sale's line and waitlist, and what its order follows from, as a log says. */
export class LoggedPlaces {
  readonly line = new Map<number, Logged>();
  readonly waitlist = new Map<number, Logged>();
  committed: string | null = null;
  placed: string | null = null;
  /** Faults of the log itself, in words. */
  readonly problems: string[] = [];

  /** Takes a leaf of any kind. */
  add({ kind, who, order, detail }: Leaf): void {
    const { number, place, weight, passedOver, list, nonce, why } = detail;
    const variant = Number(detail.variant ?? 0);
    switch (kind) {
      case 'committed':
        this.once('the rules of the line', this.committed);
        this.committed = committedText(detail.seedHash, detail.admission, detail.weights);
        break;
      case 'placed':
        this.once('the order of the line', this.placed);
        this.placed = placedText(detail.seed, detail.noncesDigest, detail.beacon, detail.count);
        break;
      case 'entered':
        this.note('line', number, { who, nonce: String(nonce ?? ''), variant });
        break;
      case 'enlisted':
        this.note('waitlist', number, { who, order, variant });
        break;
      case 'drawn':
        this.note('line', number, { drawn: drawnText(place, weight, passedOver) });
        break;
      case 'given_on':
        this.note('waitlist', number, { given: GIVEN });
        break;
      case 'passed_over':
        this.note('waitlist', number, { passed: passedText(why) });
        break;
      case 'left':
        this.note(list === 'line' ? 'line' : 'waitlist', number, { left: LEFT });
        break;
    }
  }

  private note(list: List, number: unknown, said: Logged): void {
    const known = this[list].get(Number(number)) ?? {};
    for (const [field, value] of Object.entries(said))
      if (value !== undefined && known[field as keyof Logged] !== undefined)
        this.problems.push(fault('decided_twice', { what: `number ${number} ${LISTS[list]}` }));
    this[list].set(Number(number), Object.assign(known, said));
  }

  private once(what: string, before: string | null): void {
    if (before !== null) this.problems.push(fault('decided_twice', { what }));
  }
}

const committedText = (seedHash: unknown, admission: unknown, weights: unknown): string =>
  `${admission} with weights ${weights} under the hash ${seedHash}`;
const placedText = (seed: unknown, digest: unknown, beacon: unknown, count: unknown): string =>
  `the order of ${count} by the seed ${seed}, the digest ${digest} and the beacon ${beacon}`;

/**
 * Compares a sale's line, draw and waitlist with its log: who has which number, who left, what the order follows from, each
 * result of the draw, each unit that was given on, and whom it passed over. What was decided before places were logged has
 * no leaf.
 * @param key of the sale's pseudonyms
 * @param logged is emptied on the way
 * @returns what differs, in words, and how many places are too old to be compared
 */
export async function comparePlaces(
  tx: Db,
  saleId: string,
  key: string,
  logged: LoggedPlaces,
): Promise<{ problems: string[]; unchecked: number }> {
  const { placesAt: start } = await tx.decisionLogStart.findFirstOrThrow();
  const name = (text: string) => pseudonymOf(openingOf(key, text));
  const problems = [...logged.problems, ...(await compareLine(tx, saleId, start, logged))];
  let unchecked = 0;
  for (const list of ['line', 'waitlist'] as const) {
    for await (const booked of list === 'line' ? readLine(tx, saleId) : readWaitlist(tx, saleId)) {
      const leaf = logged[list].get(booked.number);
      logged[list].delete(booked.number);
      if (leaf?.who === undefined && booked.joinedAt < start) unchecked += 1;
      problems.push(...comparePlace(list, booked, leaf ?? {}, start, name));
    }
    for (const [number, { who }] of logged[list])
      problems.push(
        fault('place_gone', {
          which: `number ${number} ${LISTS[list]}`,
          who: who === undefined ? 'an older account' : toBeNamed(who),
        }),
      );
  }
  problems.push(...(await compareServed(tx, saleId)));
  return { problems, unchecked };
}

function comparePlace(
  list: List,
  booked: Booked,
  leaf: Logged,
  start: Date,
  name: (text: string) => string,
): string[] {
  const which = `number ${booked.number} ${LISTS[list]}`;
  if (leaf.who === undefined && booked.joinedAt >= start)
    return [fault('place_taken_by_nobody', { which, userId: booked.userId })];
  if (leaf.who !== undefined && leaf.who !== name(booked.userId))
    return [fault('place_of_another', { which, userId: booked.userId, who: toBeNamed(leaf.who) })];
  const problems: string[] = [];
  const of = `${which} of ${booked.userId}`;
  if (leaf.nonce !== undefined && leaf.nonce !== booked.nonce)
    problems.push(fault('nonce_of_another', { of, was: leaf.nonce, is: String(booked.nonce) }));
  if (leaf.variant !== undefined && leaf.variant !== booked.variant)
    problems.push(fault('wish_of_another', { of, was: leaf.variant, is: booked.variant }));
  if (leaf.order !== undefined && leaf.order !== name(booked.order ?? ''))
    problems.push(fault('order_of_place', { of, order: String(booked.order) }));
  for (const what of ['drawn', 'left', 'given', 'passed'] as const) {
    const [is, was, at] = [booked[what], leaf[what], booked[`${what}At`]];
    if (was !== undefined && was !== is) problems.push(fault('place_was', { of, was, is: stateOf(booked) }));
    else if (was === undefined && is !== null && at !== null && at >= start)
      problems.push(fault('place_was_not', { of, is }));
  }
  return problems;
}

const stateOf = ({ drawn, left, given, passed }: Booked): string =>
  [drawn, left, given, passed].filter((text) => text !== null).join(', ') || 'waiting';

async function compareLine(
  tx: Db,
  saleId: string,
  start: Date,
  { committed, placed }: LoggedPlaces,
): Promise<string[]> {
  const sale = await tx.sale.findUnique({ where: { id: saleId }, include: { line: true } });
  const problems: string[] = [];
  const line = sale?.line;
  const hex = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('hex');
  const isNew = (at: Date | null) => at !== null && at >= start;
  const is = line && sale && committedText(hex(line.seedHash), sale.admission, sale.drawWeights);
  if (committed === null ? line && isNew(sale?.publishedAt ?? null) : committed !== is)
    problems.push(fault('line_promised', { is: is ?? 'gone', was: committed ?? 'nothing' }));
  const made =
    line?.shuffledAt && placedText(hex(line.seed), hex(line.noncesDigest), line.beacon, line.early);
  if (placed === null ? isNew(line?.shuffledAt ?? null) : placed !== made)
    problems.push(fault('order_made', { is: made || 'no order', was: placed ?? 'no order' }));
  return problems;
}

async function* readLine(tx: Db, saleId: string): AsyncGenerator<Booked> {
  const line = await tx.line.findUnique({ where: { saleId }, select: { shuffledAt: true } });
  for (let after = -1; ; ) {
    const rows = await tx.lineEntry.findMany({
      where: { saleId, number: { gt: after } },
      orderBy: { number: 'asc' },
      take: PAGE,
    });
    for (const { number, userId, nonce, variant, place, weight, passedOver, joinedAt, leftAt } of rows) {
      yield {
        ...{ number, userId, variant, joinedAt, leftAt, order: null, given: null, passed: null },
        ...{ givenAt: null, passedAt: null, drawnAt: line?.shuffledAt ?? null },
        nonce: Buffer.from(nonce).toString('hex'),
        drawn: place === null ? null : drawnText(place, weight, passedOver),
        left: leftAt && LEFT,
      };
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.number;
  }
}

async function* readWaitlist(tx: Db, saleId: string): AsyncGenerator<Booked> {
  for (let after = -1n; ; ) {
    const rows = await tx.waitlistEntry.findMany({
      where: { saleId, number: { gt: after } },
      orderBy: { number: 'asc' },
      take: PAGE,
    });
    for (const row of rows) {
      const { number, userId, orderNo, variant, joinedAt, leftAt, givenAt, passedAt, passedWhy } = row;
      yield {
        ...{ userId, variant, joinedAt, leftAt, givenAt, passedAt, nonce: null, drawn: null, drawnAt: null },
        number: Number(number),
        order: String(orderNo),
        left: leftAt && LEFT,
        given: givenAt && GIVEN,
        passed: passedAt && passedText(passedWhy ?? 'not_recorded'),
      };
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.number;
  }
}

/** Finds drawn people who do not stand on the waitlist under their own names and for what they wished, in the order of the draw. */
async function compareServed(tx: Db, saleId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<Served[]>`
    SELECT place, user_id AS "userId", other, user_id <> other AS "isOther", variant, wished FROM (
      SELECT e.place, e.user_id, w.user_id AS other, e.variant, w.variant AS wished, max(e.place) OVER (ORDER BY w.number ROWS UNBOUNDED PRECEDING) AS latest
      FROM line_entries e JOIN waitlist_entries w ON w.sale_id = e.sale_id AND w.order_no = e.order_no
      WHERE e.sale_id = ${saleId} AND e.place IS NOT NULL) AS served
    WHERE user_id <> other OR variant <> wished OR place < latest ORDER BY place LIMIT ${EXAMPLES}`;
  return rows.map(({ place, userId, other, isOther, variant, wished }) => {
    if (isOther) return fault('drawn_for_another', { place, userId, other });
    if (variant !== wished) return fault('drawn_for_another_wish', { place, userId, variant, wished });
    return fault('drawn_behind', { place, userId });
  });
}
type Served = {
  place: number;
  userId: string;
  other: string;
  isOther: boolean;
  /** As drawn, and as it stands on the waitlist. */
  variant: number;
  wished: number;
};
