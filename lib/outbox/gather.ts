/**
 * Does `work` on items, one call at a time: items that come while a call is under way share the next one. So calls grow
 * with what waits, and none waits for a clock.
 * @param most items in one call; further ones wait for the one after
 * @returns a function that takes one item and settles as its call does.
 */
export function gather<T, R = void>(
  work: (items: readonly T[]) => Promise<R>,
  most = Number.POSITIVE_INFINITY,
): (item: T) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  let next: { items: T[]; done: Promise<R>; hasBegun: boolean } | undefined;
  return (item) => {
    if (!next || next.hasBegun || next.items.length >= most) {
      const call = { items: [] as T[], hasBegun: false } as {
        items: T[];
        done: Promise<R>;
        hasBegun: boolean;
      };
      call.done = last.then(() => {
        call.hasBegun = true;
        return work(call.items);
      });
      last = call.done.catch(() => {});
      next = call;
    }
    next.items.push(item);
    return next.done;
  };
}
