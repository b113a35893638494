import { processWide } from '@/lib/process-wide';
import 'server-only';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import type { RiskMetric, RiskSubject } from '@/lib/contract/words/risk';
import { log } from '@/lib/http/log';
import { createMeasures, type Measures } from './measures';
import { readMeasures } from './read-measures';
import { readRules } from './read-rules';

/** Often enough that a change is in force everywhere within 1 s. */
const REFRESH_EVERY_MS = 500;

/** The knowledge of this process: rules that are enabled or on a dry run, what they count, and whom they have hit. */
type RiskKnowledge = {
  rules: readonly RiskRule[];
  /** The windows to count in, s, by metric and subject. */
  windows: ReadonlyMap<string, readonly number[]>;
  /** The kinds of subjects whose events are counted, by metric. */
  counted: ReadonlyMap<RiskMetric, readonly RiskSubject[]>;
  measures: Measures;
};

type Watch = { known: RiskKnowledge; running?: Promise<void>; isFailing: boolean; timer: NodeJS.Timeout };

const NOTHING: RiskKnowledge = {
  rules: [],
  windows: new Map(),
  counted: new Map(),
  measures: createMeasures([]),
};

const held = processWide('risk', (): { watch?: Watch } => ({}));

/**
 * Returns the rules and measures that this process knows: none before the first read, the last known ones while
 * Postgres is away.
 */
export const knownRisk = (): RiskKnowledge => held.watch?.known ?? NOTHING;

/** Returns the windows in which some rule counts this, s. */
export const windowsOf = (metric: RiskMetric, kind: RiskSubject): readonly number[] =>
  knownRisk().windows.get(`${metric} ${kind}`) ?? [];

/** Starts to keep rules and measures in memory, read twice a second. Cheap to call again. @returns after the first read. */
export function watchRisk(): Promise<void> {
  if (!held.watch) {
    const timer = setInterval(() => void join(watch), REFRESH_EVERY_MS).unref();
    const watch: Watch = { known: NOTHING, isFailing: false, timer };
    held.watch = watch;
    return join(watch);
  }
  return held.watch.running ?? Promise.resolve();
}

/** Ends what `watchRisk` began. */
export function stopWatchingRisk(): void {
  clearInterval(held.watch?.timer);
  held.watch = undefined;
}

/**
 * Reads rules and measures as they are now. Waits for a read under way, which may have begun before the latest change,
 * and reads again. Never fails.
 */
export async function refreshRisk(): Promise<void> {
  const watch = held.watch;
  if (!watch) return;
  await watch.running;
  await join(watch);
}

/** Reads rules and measures, or joins the read under way. Never fails. */
function join(watch: Watch): Promise<void> {
  watch.running ??= read(watch).finally(() => {
    watch.running = undefined;
  });
  return watch.running;
}

async function read(watch: Watch): Promise<void> {
  try {
    const [rules, measures] = await Promise.all([readRules(), readMeasures()]);
    const active = rules.filter(({ state }) => state !== 'disabled');
    watch.known = {
      rules: active,
      windows: windowsByCounter(active),
      counted: subjectsByMetric(active),
      measures: createMeasures(measures),
    };
    watch.isFailing = false;
  } catch (err) {
    if (!watch.isFailing) log.warn({ err }, 'risk rules could not be read; what is known stays in force');
    watch.isFailing = true;
  }
}

function windowsByCounter(rules: readonly RiskRule[]): Map<string, number[]> {
  const windows = new Map<string, number[]>();
  for (const { definition } of rules) {
    const key = `${definition.metric} ${definition.subject}`;
    const known = windows.get(key) ?? [];
    if (!known.includes(definition.windowSec)) windows.set(key, [...known, definition.windowSec]);
  }
  return windows;
}

function subjectsByMetric(rules: readonly RiskRule[]): Map<RiskMetric, RiskSubject[]> {
  const counted = new Map<RiskMetric, RiskSubject[]>();
  for (const { definition } of rules) {
    const { metric, subject } = definition;
    const known = counted.get(metric) ?? [];
    if (!known.includes(subject)) counted.set(metric, [...known, subject]);
  }
  return counted;
}
