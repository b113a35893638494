import { createModules, type Modules } from '../fakes/create-modules';
import type { SimProcess } from '../sim-process';
import { World } from '../world';

/** For tests: makes the simulated modules over stores of their own, by the real clock, without any faults. */
export function calmModules(): { world: World; modules: Modules } {
  const world = new World(0, { isTold: false });
  const call = async <T>(_part: string, _what: string, effect: () => T | Promise<T>): Promise<T> => {
    world.time.now = Date.now();
    return effect();
  };
  const calm = { world, call, transactions: new Set(), isAlive: true } as unknown as SimProcess;
  return { world, modules: createModules(calm) };
}
