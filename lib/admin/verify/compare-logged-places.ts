import 'server-only';
import type { Leaf } from '@/lib/contract/shapes/decision-log';
import type { Db } from '@/lib/db/client';
import { newPseudonymKey } from '@/lib/decision-log/pseudonym';
import { createLeafMaker } from '@/lib/decision-log/to-leaf';
import { openingOf, pseudonymOf } from '@/lib/ids/pseudonym';

const PAGE = 10_000;

/** By number, the pseudonyms of those who came in from the line and of those who wait for a unit, as a log says. */
export class LoggedPlaces {
  readonly admitted = new Map<number, string>();
  readonly enlisted = new Map<number, string>();
  /** What a log must not say, in words. */
  readonly problems: string[] = [];

  /** Takes a leaf of any kind. */
  add({ kind, who = '', detail }: Leaf): void {
    if (kind !== 'admitted' && kind !== 'enlisted') return;
    const number = Number(detail.number);
    if (this[kind].has(number)) this.problems.push(`number ${number} is ${kind} twice`);
    this[kind].set(number, who);
  }
}

/**
 * Compares who came in from a sale's line and who waits for a unit with its log, decisions that wait for their place
 * included. What was decided before lines were logged has no leaf.
 * @param key of the sale's pseudonyms; null: it has no log yet
 * @param logged is emptied on the way
 */
export async function comparePlaces(
  tx: Db,
  saleId: string,
  key: string | null,
  logged: LoggedPlaces,
): Promise<string[]> {
  const nameKey = key ?? newPseudonymKey();
  const toLeaf = createLeafMaker(saleId, nameKey);
  const batches = await tx.decisionBatch.findMany({ where: { saleId }, select: { decisions: true } });
  for (const made of batches.flatMap(({ decisions }) => decisions as unknown[]))
    logged.add(JSON.parse(toLeaf(made).leaf) as Leaf);
  const { linesAt: start } = await tx.decisionLogStart.findFirstOrThrow();
  const problems = [...logged.problems];
  const name = (userId: string) => pseudonymOf(openingOf(nameKey, userId));
  const compare = (kind: 'admitted' | 'enlisted', number: number, userId: string, at: Date) => {
    const who = logged[kind].get(number);
    if (who === undefined && at >= start) problems.push(`number ${number} is ${kind} without a leaf`);
    if (who !== undefined && who !== name(userId))
      problems.push(`number ${number} that is ${kind} is another`);
    logged[kind].delete(number);
  };
  for (let after = -1; ; ) {
    const rows = await tx.lineEntry.findMany({
      where: { saleId, number: { gt: after }, enteredAt: { not: null } },
      select: { number: true, userId: true, enteredAt: true },
      orderBy: { number: 'asc' },
      take: PAGE,
    });
    for (const { number, userId, enteredAt } of rows) compare('admitted', number, userId, enteredAt as Date);
    if (rows.length < PAGE) break;
    after = rows.at(-1)?.number ?? after;
  }
  for (let after = -1n; ; ) {
    const rows = await tx.waitlistEntry.findMany({
      where: { saleId, number: { gt: after } },
      select: { number: true, userId: true, joinedAt: true },
      orderBy: { number: 'asc' },
      take: PAGE,
    });
    for (const { number, userId, joinedAt } of rows) compare('enlisted', Number(number), userId, joinedAt);
    if (rows.length < PAGE) break;
    after = rows.at(-1)?.number ?? after;
  }
  for (const kind of ['admitted', 'enlisted'] as const)
    if (logged[kind].size > 0) problems.push(`${logged[kind].size} who are ${kind} in the log are not there`);
  return problems;
}
