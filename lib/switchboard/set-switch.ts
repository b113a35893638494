import 'server-only';
import type { SideFeature, SwitchMode } from '@/lib/contract/words/side-feature';
import { usualMode } from '@/lib/contract/words/side-feature';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { settings } from './known-settings';
import { readSettings } from './read-settings';
import type { SwitchSetting } from './types';

/** The number of the lock; any number that no other code uses. */
const LOCK = 0x737764n;

type Change = { feature: SideFeature; mode: SwitchMode; version: number };
/** `conflict`: somebody has changed the switch since. `setting`: as it is now; undefined: never changed. */
type Result = { status: 'set' | 'conflict'; setting: SwitchSetting | undefined };

/**
 * Sets a switch, in every process within a second, in this one at once. The mode it has already changes nothing. A lock
 * makes changes take turns, so that their `change` numbers commit in order.
 * @param version the one last seen; 0: never changed
 * @param by user id
 * @param alongside more work for the transaction; called last in it, if something changes
 */
export async function setSwitch(
  { feature, mode, version }: Change,
  by: string,
  alongside: (tx: Db, before: SwitchMode) => Promise<void>,
): Promise<Result> {
  const result = await transaction(async (tx): Promise<Result> => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
    const read = async () => (await readSettings(tx)).find((one) => one.feature === feature);
    const before = await read();
    if ((before?.version ?? 0) !== version) return { status: 'conflict', setting: before };
    const oldMode = before?.mode ?? usualMode(feature);
    if (oldMode === mode) return { status: 'set', setting: before };
    await tx.$executeRaw`
      INSERT INTO side_features (feature, mode, changed_by) VALUES (${feature}, ${mode}, ${by})
      ON CONFLICT (feature) DO UPDATE
      SET mode = excluded.mode, changed_by = excluded.changed_by, changed_at = now(),
          version = side_features.version + 1, change = nextval('side_features_change_seq')`;
    const setting = await read();
    await alongside(tx, oldMode);
    return { status: 'set', setting };
  });
  await settings.announce();
  return result;
}
