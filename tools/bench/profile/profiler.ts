import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isAlive } from '../../../scripts/infra/processes.mjs';
import { drawFlameGraph } from './flame-graph';
import { busiest, cpuProfile, fold } from './fold';

const TOP = 10;
/** Longer than a process needs to notice that a figure has begun or ended. */
const NOTICED_MS = 200;
const WRITTEN_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 50;
const PROFILE = /^(.+)-(\d+)\.cpuprofile$/;
const PART = /-(\d+)\.cpuprofile\.part$/;

/** Profiles the product's processes, figure by figure. */
export type Profiler = {
  /** Returns the environment that makes a process, and those it starts, profile itself. @param name of the process */
  env(name: string): Record<string, string>;
  begin(figure: string): Promise<void>;
  /**
   * Ends the figure's profiles and draws one flame graph for each process.
   * @returns lines to print: for each process its graph and its ten busiest functions.
   */
  end(): Promise<string[]>;
};

/** @param folder gets a folder for each figure; its profiles of an earlier run are removed. */
export function createProfiler(root: string, folder: string): Profiler {
  const dir = resolve(folder);
  mkdirSync(dir, { recursive: true });
  const control = join(dir, 'figure');
  rmSync(control, { force: true });
  let figure = '';
  return {
    env(name) {
      const module = pathToFileURL(join(root, 'tools/bench/profile/in-process.mjs'));
      module.search = new URLSearchParams({ folder: dir, name }).toString();
      return { NODE_OPTIONS: `--import ${module.href}` };
    },
    async begin(name) {
      figure = name;
      mkdirSync(join(dir, figure), { recursive: true });
      for (const file of readdirSync(join(dir, figure)))
        if (/\.cpuprofile(\.part)?$/.test(file)) rmSync(join(dir, figure, file));
      writeFileSync(control, figure);
      await delay(NOTICED_MS);
    },
    async end() {
      rmSync(control, { force: true });
      await delay(NOTICED_MS);
      await untilWritten(join(dir, figure));
      return drawAll(join(dir, figure), figure, root);
    },
  };
}

/** Waits for the profiles of all processes that still run; one that was killed never writes its own. */
async function untilWritten(dir: string): Promise<void> {
  const deadline = Date.now() + WRITTEN_WITHIN_MS;
  const isAwaited = (file: string) => {
    const pid = PART.exec(file)?.[1];
    return pid !== undefined && isAlive(Number(pid));
  };
  while (readdirSync(dir).some(isAwaited) && Date.now() < deadline) await delay(LOOK_EVERY_MS);
}

function drawAll(dir: string, figure: string, root: string): string[] {
  const byName = new Map<string, string[]>();
  for (const file of readdirSync(dir)) {
    const name = PROFILE.exec(file)?.[1];
    if (name) byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return [...byName].flatMap(([name, files]) => {
    const profiles = files.map((file) => cpuProfile.parse(JSON.parse(readFileSync(join(dir, file), 'utf8'))));
    const flame = fold(profiles, `${root}/`);
    const { totalMs } = flame.root;
    const graph = join(dir, `${name}.svg`);
    writeFileSync(graph, drawFlameGraph(flame, `${figure}, ${name}`));
    const share = (ms: number, of: number) =>
      `${((ms / Math.max(of, 0.001)) * 100).toFixed(1).padStart(5)} %`;
    const rows = busiest(flame, TOP).map((frame) =>
      `  ${share(frame.selfMs, totalMs)}  ${frame.name}  ${frame.place}`.trimEnd(),
    );
    return [`${figure}, ${name}: busy${share(totalMs, totalMs + flame.idleMs)}, ${graph}`, ...rows];
  });
}
