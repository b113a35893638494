import 'server-only';
import type { FeatureOff, SideSwitch, Switchboard } from '@/lib/contract/shapes/switchboard';
import { SIDE_FEATURES, type SideFeature, usualMode } from '@/lib/contract/words/side-feature';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { goesAt } from '@/lib/switchboard/goes-at';
import { busiest } from '@/lib/switchboard/heard-loads';
import { stateOf } from '@/lib/switchboard/is-on';
import { readSettings } from '@/lib/switchboard/read-settings';
import type { SwitchSetting } from '@/lib/switchboard/types';

/** Reads every switch, and how busy the shop is. Modes are Postgres's, the rest is what this process knows. */
export async function readSwitchboard(): Promise<Switchboard> {
  const settings = await readSettings();
  const emails = await emailsOf(settings.map(({ changedBy }) => changedBy));
  const switches = SIDE_FEATURES.map((feature) => {
    const setting = settings.find((one) => one.feature === feature);
    return toView(feature, setting, setting && emails.get(setting.changedBy));
  });
  return { switches, busy: busiest() };
}

/** Reads one switch as it is shown. @param setting undefined: nobody has changed it yet */
export async function viewSwitch(
  feature: SideFeature,
  setting: SwitchSetting | undefined,
): Promise<SideSwitch> {
  const emails = await emailsOf(setting ? [setting.changedBy] : []);
  return toView(feature, setting, setting && emails.get(setting.changedBy));
}

/** Reads which side features are off in this process, and who or what has them off. */
export async function readSwitchedOff(): Promise<FeatureOff[]> {
  const off = SIDE_FEATURES.map(stateOf).filter(({ isOn }) => !isOn);
  const isBySomebody = off.some(({ offBy }) => offBy === 'mode');
  const { switches } = isBySomebody ? await readSwitchboard() : { switches: [] };
  return off.map(({ feature, offBy, since }) => {
    const set = switches.find((one) => one.feature === feature);
    return {
      feature,
      offBy,
      since,
      byEmail: offBy === 'mode' ? (set?.changedByEmail ?? null) : null,
      goesAt: goesAtOf(feature),
    };
  });
}

const goesAtOf = (feature: SideFeature) => goesAt(env().shedAbove)[SIDE_FEATURES.indexOf(feature)] ?? null;

function toView(
  feature: SideFeature,
  setting: SwitchSetting | undefined,
  email: string | undefined,
): SideSwitch {
  return {
    ...stateOf(feature),
    mode: setting?.mode ?? usualMode(feature),
    usualMode: usualMode(feature),
    goesAt: goesAtOf(feature),
    changedBy: setting?.changedBy ?? null,
    changedByEmail: email ?? null,
    changedAt: setting?.changedAt ?? null,
    version: setting?.version ?? 0,
  };
}

async function emailsOf(userIds: readonly string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const users = await db().user.findMany({
    where: { id: { in: [...userIds] } },
    select: { id: true, email: true },
  });
  return new Map(users.map(({ id, email }) => [id, email]));
}
