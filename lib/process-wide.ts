type States = Map<string, unknown>;

/**
 * Why not a plain variable: Next's process holds two copies of most of our modules, one in our bundle
 * (`lib/server/run-next.ts`) and one in Next's, and `npm run dev` loads a module again after each edit. What both copies
 * read and write lives here. A module that each process loads once keeps its state in a variable of its own.
 */
const holder = globalThis as typeof globalThis & { seckillStates?: States };
holder.seckillStates ??= new Map();
const states: States = holder.seckillStates;

/**
 * State that every copy of a module in this process shares.
 * @param name one per state, the same in each copy
 * @param create makes the state; called once per process
 */
export function processWide<T>(name: string, create: () => T): T {
  if (!states.has(name)) states.set(name, create());
  // Only `create` of this very line, or of its copy in the other bundle, has made it.
  return states.get(name) as T;
}
