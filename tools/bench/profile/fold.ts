import { z } from 'zod';

/** The parts that we read of a `.cpuprofile` (Chrome DevTools Protocol, `Profiler.Profile`). Times are µs. */
export const cpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

export type CpuProfile = z.infer<typeof cpuProfile>;
type Node = CpuProfile['nodes'][number];

/** A function as called by its callers. */
export type Frame = {
  name: string;
  /** File and line, from the repository's root; empty for V8's own work. */
  place: string;
  /** Time in the function itself, and with all it called. */
  selfMs: number;
  totalMs: number;
  children: Map<string, Frame>;
};

export type Flame = { root: Frame; idleMs: number };

const IDLE = '(idle)';

/**
 * Folds profiles of one process, or of its successors, into a tree in which every stack occurs once. Time in which the
 * process waited is left out and counted apart.
 * @param repository folder that places are relative to, with a slash at its end.
 */
export function fold(profiles: readonly CpuProfile[], repository: string): Flame {
  const flame: Flame = { root: makeFrame('all', ''), idleMs: 0 };
  for (const profile of profiles) addProfile(flame, profile, repository);
  sumUp(flame.root);
  return flame;
}

function addProfile(flame: Flame, { nodes, samples, timeDeltas }: CpuProfile, repository: string): void {
  const selfUs = new Map<number, number>();
  samples.forEach((id, at) => {
    // A sample lasts until the next one.
    selfUs.set(id, (selfUs.get(id) ?? 0) + (timeDeltas[at + 1] ?? 0));
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const [first] = nodes;
  const left: [Node, Frame][] = first ? [[first, flame.root]] : [];
  for (let next = left.pop(); next; next = left.pop()) {
    const [node, frame] = next;
    frame.selfMs += (selfUs.get(node.id) ?? 0) / 1_000;
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (!child) continue;
      if (child.callFrame.functionName === IDLE) flame.idleMs += (selfUs.get(id) ?? 0) / 1_000;
      else left.push([child, childOf(frame, child.callFrame, repository)]);
    }
  }
}

function childOf(
  parent: Frame,
  { functionName, url, lineNumber }: Node['callFrame'],
  repository: string,
): Frame {
  const name = functionName || '(anonymous)';
  const file = url
    .replace(/^file:\/\//, '')
    .replace(repository, '')
    .replace(/^.*node_modules\//, '');
  const place = file === '' ? '' : `${file}:${lineNumber + 1}`;
  const key = `${name} ${place}`;
  const found = parent.children.get(key) ?? makeFrame(name, place);
  parent.children.set(key, found);
  return found;
}

const makeFrame = (name: string, place: string): Frame => ({
  name,
  place,
  selfMs: 0,
  totalMs: 0,
  children: new Map(),
});

function sumUp(frame: Frame): number {
  frame.totalMs = frame.selfMs;
  for (const child of frame.children.values()) frame.totalMs += sumUp(child);
  return frame.totalMs;
}

/** Returns the functions in which most time was spent, summed over all callers. @param count at most so many */
export function busiest({ root }: Flame, count: number): Pick<Frame, 'name' | 'place' | 'selfMs'>[] {
  const byPlace = new Map<string, Pick<Frame, 'name' | 'place' | 'selfMs'>>();
  const add = (frame: Frame) => {
    const key = `${frame.name} ${frame.place}`;
    const known = byPlace.get(key) ?? { name: frame.name, place: frame.place, selfMs: 0 };
    known.selfMs += frame.selfMs;
    byPlace.set(key, known);
    for (const child of frame.children.values()) add(child);
  };
  for (const child of root.children.values()) add(child);
  return [...byPlace.values()].sort((a, b) => b.selfMs - a.selfMs).slice(0, count);
}
