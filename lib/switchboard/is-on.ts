import 'server-only';
import type { FeatureState } from '@/lib/contract/shapes/switchboard';
import { SIDE_FEATURES, type SideFeature, usualMode } from '@/lib/contract/words/side-feature';
import { listenToLoads, offByLoadSince, stopListening } from './heard-loads';
import { settings } from './known-settings';
import { stopShedding } from './shed-by-load';

const PLACES = new Map(SIDE_FEATURES.map((feature, place) => [feature, place]));

/**
 * Starts to follow the switchboard in this process; without it everything counts as on. While Postgres and Redis are
 * away, what staff set last stays in force. Notices and reminders wait until it was read. Cheap to call again.
 * @returns when the settings have been read, or could not be
 */
export function watchSwitchboard(): Promise<void> {
  listenToLoads();
  return settings.watch();
}

/** Stops what `watchSwitchboard` and `keepShedding` began. Call it before the process closes its connections. */
export function stopWatchingSwitchboard(): void {
  stopShedding();
  stopListening();
  settings.stop();
}

/** Tells whether this process follows the switchboard. */
export const isWatching = (): boolean => settings.known() !== undefined;

/** Tells whether a side feature is on just now: two lookups in memory, for the hot path too. */
export function isOn(feature: SideFeature): boolean {
  const mode = modeOf(feature);
  if (mode !== 'by_load') return mode === 'on';
  return offByLoadSince(PLACES.get(feature) as number) === null;
}

/** Returns how a side feature stands just now, with the reason. */
export function stateOf(feature: SideFeature): FeatureState {
  const setting = settings.known()?.get(feature);
  if (setting?.mode === 'off') return { feature, isOn: false, offBy: 'mode', since: setting.changedAt };
  const since = modeOf(feature) === 'by_load' ? offByLoadSince(PLACES.get(feature) as number) : null;
  return since === null
    ? { feature, isOn: true, offBy: null, since: null }
    : { feature, isOn: false, offBy: 'load', since };
}

/** These reach people and can't be taken back, so they wait until the process has read whether staff have switched them off. */
const GOING_OUT: ReadonlySet<SideFeature> = new Set(['notices', 'reminders']);

function modeOf(feature: SideFeature) {
  const known = settings.known();
  if (known && !settings.isRead() && GOING_OUT.has(feature)) return 'off';
  return known?.get(feature)?.mode ?? usualMode(feature);
}
