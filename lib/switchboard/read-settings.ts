import 'server-only';
import { isSideFeature, SWITCH_MODES, type SwitchMode } from '@/lib/contract/words/side-feature';
import { type Db, db } from '@/lib/db/client';
import type { SwitchSetting } from './types';

type Row = {
  feature: string;
  mode: string;
  changed_by: string;
  changed_at: Date;
  version: number;
  change: bigint;
};

/** Returns the present position of the settings: reading on from here misses no later change. */
export async function readMark(): Promise<bigint> {
  const [row] = await db().$queryRaw<{ mark: bigint }[]>`
    SELECT COALESCE(max(change), 0) AS mark FROM side_features`;
  return row?.mark ?? 0n;
}

/** Yields the settings as they are at `mark`. There are a dozen at most. */
export async function* streamSettings(mark: bigint): AsyncGenerator<SwitchSetting[]> {
  const rows = await db().$queryRaw<Row[]>`SELECT * FROM side_features WHERE change <= ${mark}`;
  yield rows.flatMap(toSetting);
}

/** Yields the settings changed after `mark`, with the mark to go on from. */
export async function* streamChanges(
  mark: bigint,
): AsyncGenerator<{ changes: SwitchSetting[]; mark: bigint }> {
  const rows = await db().$queryRaw<
    Row[]
  >`SELECT * FROM side_features WHERE change > ${mark} ORDER BY change`;
  yield { changes: rows.flatMap(toSetting), mark: rows.at(-1)?.change ?? mark };
}

/** Reads all settings as they are now. */
export async function readSettings(client: Db = db()): Promise<SwitchSetting[]> {
  return (await client.$queryRaw<Row[]>`SELECT * FROM side_features`).flatMap(toSetting);
}

/** Leaves out what a newer release may have written. */
function toSetting({ feature, mode, changed_by, changed_at, version }: Row): SwitchSetting[] {
  if (!isSideFeature(feature) || !isMode(mode)) return [];
  return [{ feature, mode, changedBy: changed_by, changedAt: changed_at.getTime(), version }];
}

const isMode = (mode: string): mode is SwitchMode => (SWITCH_MODES as readonly string[]).includes(mode);
