import { OutageError } from '@/lib/errors/outage-error';

type Read<K, V> = {
  key: K;
  /** Monotonic ms. */
  since: number;
  resolve: (value: V | undefined) => void;
  reject: (error: unknown) => void;
};

type Options = {
  /** Queries under way at the same time. */
  atOnce?: number;
  /** Keys of one query. */
  most?: number;
  /** How long a read waits for a query to begin; and how long a query without an answer holds back others, ms. */
  waitMs?: number;
};

/**
 * Joins reads: those that come in the same turn of the event loop, or while others are under way, share one query.
 * Nothing is kept, so every read sees what was committed before it began.
 * @param load reads all of these keys at once; a key without a value is left out of its answer
 * @returns the function to read with; rejects with what `load` threw, or with OutageError after `waitMs`
 */
export function joinReads<K, V>(
  load: (keys: K[]) => Promise<Map<K, V>>,
  { atOnce = 2, most = 500, waitMs = 2_000 }: Options = {},
): (key: K) => Promise<V | undefined> {
  let waiting: Read<K, V>[] = [];
  let underWay = 0;
  let isPlanned = false;
  let isTimed = false;

  const run = async (reads: Read<K, V>[]) => {
    underWay += 1;
    let isOver = false;
    const free = () => {
      if (isOver) return;
      isOver = true;
      underWay -= 1;
      start();
    };
    const lost = setTimeout(free, waitMs);
    try {
      const values = await load([...new Set(reads.map(({ key }) => key))]);
      for (const { key, resolve } of reads) resolve(values.get(key));
    } catch (error) {
      for (const { reject } of reads) reject(error);
    } finally {
      clearTimeout(lost);
      free();
    }
  };
  const start = () => {
    isPlanned = false;
    while (waiting.length > 0 && underWay < atOnce) {
      const reads = waiting.slice(0, most);
      waiting = waiting.slice(reads.length);
      void run(reads);
    }
  };
  const watch = () => {
    if (isTimed) return;
    isTimed = true;
    setTimeout(giveUpOld, waitMs);
  };
  const giveUpOld = () => {
    isTimed = false;
    const before = performance.now() - waitMs;
    const isOld = ({ since }: Read<K, V>) => since <= before;
    for (const { reject } of waiting.filter(isOld)) reject(new OutageError('reads wait too long'));
    waiting = waiting.filter((read) => !isOld(read));
    if (waiting.length > 0) watch();
  };

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, since: performance.now(), resolve, reject });
      if (isPlanned) return;
      if (underWay >= atOnce) {
        watch();
        return;
      }
      isPlanned = true;
      setImmediate(start);
    });
}
