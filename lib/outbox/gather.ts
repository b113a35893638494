/**
 * Does `work` on ids, one call at a time: ids that come while a call is under way share the next one. So calls grow
 * with what waits, and none waits for a clock.
 * @returns a function that takes one id and settles as its call does.
 */
export function gather(work: (ids: readonly string[]) => Promise<void>): (id: string) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let next: { ids: string[]; done: Promise<void> } | undefined;
  return (id) => {
    if (!next) {
      const ids: string[] = [];
      const done = last.then(() => {
        next = undefined;
        return work(ids);
      });
      last = done.catch(() => {});
      next = { ids, done };
    }
    next.ids.push(id);
    return next.done;
  };
}
