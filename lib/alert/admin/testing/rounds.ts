import { db } from '@/lib/db/client';
import { evaluateAlerts } from '../evaluate-alerts';

/** For tests: makes the next round due. */
export const makeDue = () => db().$executeRaw`UPDATE alert_evaluation SET at = 'epoch'`;

/** For tests: runs one round of evaluation, as if `secondsLater` had passed for the present alerts. */
export async function nextRound(secondsLater = 0): Promise<void> {
  await db().$executeRaw`
    UPDATE alerts SET since = since - make_interval(secs => ${secondsLater}::int),
                      clear_since = clear_since - make_interval(secs => ${secondsLater}::int)`;
  await makeDue();
  const { status } = await evaluateAlerts();
  if (status !== 'evaluated') throw new Error(status);
}

/** For tests: reads the states of the alerts of one rule and subject, oldest first. */
export async function statesOf(rule: string, subject: string): Promise<string[]> {
  const rows = await db().alert.findMany({ where: { rule, subject }, orderBy: { id: 'asc' } });
  return rows.map(({ state }) => state);
}
