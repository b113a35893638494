import 'server-only';
import { z } from 'zod';
import { SIDE_FEATURES } from '@/lib/contract/words/side-feature';
import { processWide } from '@/lib/process-wide';
import { stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';
import { subscribe } from '@/lib/redis/subscribe';

/** A web process's report of its load counts for this long; there are two a second. */
const COUNTS_FOR_MS = 3_000;
const LOOK_EVERY_MS = 500;
/** More processes than any shop has: a forger of messages must not fill the memory. */
const MOST_PROCESSES = 1_000;

const report = z.object({
  /** A name that no other process has. */
  process: z.string().min(1).max(64),
  busy: z.number().min(0).max(1),
  /** When it took each step, epoch ms. */
  taken: z.array(z.number().int().min(0)).max(SIDE_FEATURES.length),
});
/** How busy a web process is, and how far it wants side features off for that. */
type LoadReport = z.output<typeof report>;

type Heard = LoadReport & { heardAt: number };
type Held = {
  reports: Map<string, Heard>;
  /** Since when load has each feature off, in their order, epoch ms. */
  since: readonly number[];
  timer?: NodeJS.Timeout;
};

const held = processWide('loads', (): Held => ({ reports: new Map(), since: [] }));

/** Starts to listen to what the web processes say of their load. Cheap to call again. */
export function listenToLoads(): void {
  if (held.timer) return;
  held.timer = setInterval(look, LOOK_EVERY_MS).unref();
  subscribe(channels.load, {
    onMessage(message) {
      const parsed = report.safeParse(parse(message));
      if (parsed.success) noteLoad(parsed.data);
    },
  });
}

/** Stops what `listenToLoads` began, and forgets all. */
export function stopListening(): void {
  clearInterval(held.timer);
  Object.assign(held, { timer: undefined, reports: new Map(), since: [] });
}

/** Takes what a process says of its load. */
export function noteLoad(said: LoadReport): void {
  const { reports } = held;
  if (reports.size < MOST_PROCESSES || reports.has(said.process))
    reports.set(said.process, { ...said, heardAt: performance.now() });
  look();
}

/** Tells every process, this one at once. Never fails: without Redis each process goes by its own load. */
export function tellLoad(said: LoadReport): void {
  noteLoad(said);
  stockRedis()
    .publish(channels.load, JSON.stringify(said))
    .catch(() => {});
}

/** Returns since when the load has a feature off, epoch ms; null: it has not. @param place in the order of features */
export const offByLoadSince = (place: number): number | null => held.since[place] ?? null;

/** Returns how busy the busiest web process is, 0 … 1; null while none says so. */
export function busiest(): number | null {
  const all = [...held.reports.values()].map(({ busy }) => busy);
  return all.length === 0 ? null : Math.max(...all);
}

/** Forgets old reports. The process that wants most decides: its shoppers' purchases are at stake. */
function look(): void {
  const { reports } = held;
  const from = performance.now() - COUNTS_FOR_MS;
  for (const [name, { heardAt }] of reports) if (heardAt < from) reports.delete(name);
  const wanted = [...reports.values()].map(({ taken }) => taken);
  const level = Math.max(0, ...wanted.map((taken) => taken.length));
  held.since = Array.from({ length: level }, (_, place) =>
    Math.min(...wanted.flatMap((taken) => taken[place] ?? [])),
  );
}

function parse(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return null;
  }
}
