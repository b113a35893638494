import { createModules, type Modules } from '../fakes/create-modules';
import type { SimProcess } from '../sim-process';
import { World } from '../world';

/** For tests: makes the simulated modules over stores of their own, by the real clock, without any faults. */
export function calmModules(): { world: World; modules: Modules } {
  const world = new World(0, { isTold: false });
  // What waits for time to pass waits for the real one.
  world.time.after = (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  };
  const call = async <T>(_part: string, _what: string, effect: () => T | Promise<T>): Promise<T> => {
    world.time.now = Date.now();
    return effect();
  };
  const sleep = async () => {};
  const calm = { world, call, sleep, transactions: new Set(), isAlive: true } as unknown as SimProcess;
  return { world, modules: createModules(calm) };
}
