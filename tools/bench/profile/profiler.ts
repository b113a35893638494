import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isAlive } from '../../../scripts/infra/processes.mjs';

/** Longer than a process needs to notice that a figure has begun or ended. */
const NOTICED_MS = 200;
const WRITTEN_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 50;
const PROFILE = /\.cpuprofile$/;
const PART = /-(\d+)\.cpuprofile\.part$/;

/** Profiles the product's processes, figure by figure. */
export type Profiler = {
  /** Returns the environment that makes a process, and those it starts, profile itself. @param name of the process */
  envOf(name: string): Record<string, string>;
  begin(figure: string): Promise<void>;
  /** Ends the figure's profiles. @returns their files, one for each process */
  end(): Promise<string[]>;
};

/** @param folder gets a folder for each figure; its profiles of an earlier run are removed. */
export function createProfiler(root: string, folder: string): Profiler {
  const dir = resolve(folder);
  mkdirSync(dir, { recursive: true });
  const control = join(dir, 'figure');
  rmSync(control, { force: true });
  let own = dir;
  return {
    envOf(name) {
      const module = pathToFileURL(join(root, 'tools/bench/profile/in-process.mjs'));
      module.search = new URLSearchParams({ folder: dir, name }).toString();
      return { NODE_OPTIONS: `--import ${module.href}` };
    },
    async begin(figure) {
      own = join(dir, figure);
      mkdirSync(own, { recursive: true });
      for (const file of readdirSync(own)) if (PROFILE.test(file) || PART.test(file)) rmSync(join(own, file));
      writeFileSync(control, figure);
      await delay(NOTICED_MS);
    },
    async end() {
      rmSync(control, { force: true });
      await delay(NOTICED_MS);
      await untilWritten(own);
      return readdirSync(own)
        .filter((file) => PROFILE.test(file))
        .map((file) => join(own, file));
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
