import 'server-only';
import type { AlertRuleId } from '@/lib/contract/words/alert';
import type { Db } from '@/lib/db/client';
import type { Alert } from '@/prisma/generated/client';
import { nextState, type Standing } from './next-state';
import { readAlertRules } from './read-rules';
import type { Reading } from './rules';
import { type AlertView, toView } from './types';

/** More at a time mean that the readings are wrong. Those beyond open no alert in this round; open alerts follow theirs. */
const MAX_READINGS = 1_000;

/** A change that people must be told of. */
export type AlertChange = { kind: 'firing' | 'resolved'; alert: AlertView };

/**
 * Moves every alert by one round's readings, within the transaction of the caller that holds the round.
 * @param known rules that could be read at all; alerts of others stay as they are. A subject of a known rule without
 *   a reading has the value 0.
 * @returns the alerts that began to fire and those that were resolved.
 */
export async function applyReadings(
  tx: Db,
  { known, readings, at }: { known: readonly AlertRuleId[]; readings: readonly Reading[]; at: Date },
): Promise<AlertChange[]> {
  const rules = new Map((await readAlertRules(tx)).map((rule) => [rule.id as string, rule]));
  const open = await tx.alert.findMany({ where: { state: { not: 'resolved' }, rule: { in: [...known] } } });
  const keyOf = ({ rule, subject }: { rule: string; subject: string }) => `${rule} ${subject}`;
  const standing = new Map(open.map((row) => [keyOf(row), row]));
  const taken = readings.filter((reading, at) => at < MAX_READINGS || standing.has(keyOf(reading)));
  const read = new Map(taken.map((reading) => [keyOf(reading), reading]));
  for (const row of open) {
    if (!read.has(keyOf(row)))
      read.set(keyOf(row), { ...row, rule: row.rule as AlertRuleId, value: 0 } satisfies Reading);
  }
  const changes: AlertChange[] = [];
  for (const [key, reading] of read) {
    const rule = rules.get(reading.rule);
    if (!rule) continue;
    const row = standing.get(key) ?? null;
    const verdict = nextState(row && toStanding(row), reading.value, rule, at.getTime());
    const { value } = reading;
    if (verdict.next === 'none') {
      if (row) await tx.alert.delete({ where: { id: row.id } });
      continue;
    }
    const data = {
      value,
      peak: Math.max(row?.peak ?? value, value),
      threshold: rule.threshold,
      state: verdict.next,
      clearSince:
        verdict.next === 'firing' && verdict.clearSince !== null ? new Date(verdict.clearSince) : null,
      firedAt: verdict.next === 'firing' && verdict.isNew ? at : (row?.firedAt ?? null),
      resolvedAt: verdict.next === 'resolved' ? at : null,
    };
    const { rule: id, subject, saleId } = reading;
    const written = row
      ? await tx.alert.update({ where: { id: row.id }, data })
      : await tx.alert.create({ data: { ...data, rule: id, subject, saleId, since: at } });
    if (verdict.next === 'resolved') changes.push({ kind: 'resolved', alert: toView(written) });
    if (verdict.next === 'firing' && verdict.isNew) changes.push({ kind: 'firing', alert: toView(written) });
  }
  return changes;
}

const toStanding = ({ state, since, clearSince }: Alert): Standing => ({
  state: state as Standing['state'],
  since: since.getTime(),
  clearSince: clearSince?.getTime() ?? null,
});
