/** One entry of a stream: its id, and fields and values in turn. */
export type StreamEntry = [string, string[]];
type Pending = { consumer: string; since: number };
type Group = { last: string; pending: Map<string, Pending> };
type Stream = { entries: StreamEntry[]; lastId: string; added: number; groups: Map<string, Group> };

const noGroup = () => new Error('NOGROUP No such consumer group');

/** The simulated Redis: hashes, sets, and streams with consumer groups, as far as the outbox uses them. */
export class RedisStore {
  private hashes = new Map<string, Map<string, string>>();
  private sets = new Map<string, Set<string>>();
  private streams = new Map<string, Stream>();
  private readonly readers = new Set<() => void>();
  /** Changes whenever the server is replaced or restarted. */
  runId = 1;

  /** Makes an empty store. @param now the server's clock, epoch ms */
  constructor(readonly now: () => number) {}

  hash(key: string): Map<string, string> | undefined {
    return this.hashes.get(key);
  }

  hset(key: string, fields: Readonly<Record<string, string | number>>): void {
    let hash = this.hashes.get(key);
    if (!hash) {
      hash = new Map();
      this.hashes.set(key, hash);
    }
    for (const [field, value] of Object.entries(fields)) hash.set(field, String(value));
  }

  unlink(key: string): number {
    return [this.hashes, this.sets, this.streams].filter((keys) => keys.delete(key)).length;
  }

  sadd(key: string, member: string): number {
    const set = this.sets.get(key) ?? new Set<string>();
    this.sets.set(key, set);
    if (set.has(member)) return 0;
    set.add(member);
    return 1;
  }

  srem = (key: string, member: string): number => (this.sets.get(key)?.delete(member) ? 1 : 0);
  smembers = (key: string): string[] => [...(this.sets.get(key) ?? [])];

  xadd(key: string, fields: readonly (string | number)[]): string {
    const stream = this.stream(key);
    const [ms = 0, nth = 0] = stream.lastId.split('-').map(Number);
    const id = this.now() > ms ? `${this.now()}-0` : `${ms}-${nth + 1}`;
    stream.entries.push([id, fields.map(String)]);
    stream.lastId = id;
    stream.added += 1;
    for (const wake of [...this.readers]) wake();
    return id;
  }

  xgroupCreate(key: string, group: string): 'OK' {
    const { groups } = this.stream(key);
    if (groups.has(group)) throw new Error('BUSYGROUP Consumer Group name already exists');
    groups.set(group, { last: '0-0', pending: new Map() });
    return 'OK';
  }

  xlen = (key: string): number => this.streams.get(key)?.entries.length ?? 0;

  xrange(key: string, from: string, count: number): StreamEntry[] {
    const entries = this.streams.get(key)?.entries ?? [];
    const isIn = (id: string) =>
      from === '-' || (from[0] === '(' ? after(id, from.slice(1)) : !after(from, id));
    return entries.filter(([id]) => isIn(id)).slice(0, count);
  }

  /** Returns how many entries were ever added; null if there is no such stream. */
  xadded = (key: string): number | null => this.streams.get(key)?.added ?? null;

  xreadgroup(key: string, name: string, consumer: string, count: number): StreamEntry[] {
    const group = this.group(key, name);
    const found = (this.streams.get(key)?.entries ?? [])
      .filter(([id]) => after(id, group.last))
      .slice(0, count);
    for (const [id] of found) {
      group.last = id;
      group.pending.set(id, { consumer, since: this.now() });
    }
    return found;
  }

  xack(key: string, name: string, ids: readonly string[]): number {
    const pending = this.streams.get(key)?.groups.get(name)?.pending;
    return ids.filter((id) => pending?.delete(id)).length;
  }

  xdel(key: string, ids: readonly string[]): number {
    const stream = this.streams.get(key);
    if (!stream) return 0;
    const before = stream.entries.length;
    stream.entries = stream.entries.filter(([id]) => !ids.includes(id));
    return before - stream.entries.length;
  }

  /** Gives pending entries to this consumer from now on; leaves out ids that are not pending. @returns the ids it gave. */
  xclaim(key: string, name: string, consumer: string, ids: readonly string[]): string[] {
    const { pending } = this.group(key, name);
    const theirs = ids.filter((id) => pending.has(id));
    const alive = theirs.filter((id) => this.find(key, id) || !pending.delete(id));
    for (const id of alive) pending.set(id, { consumer, since: this.now() });
    return alive;
  }

  /** Claims entries that have been pending for `minIdleMs`; forgets those that were deleted meanwhile. */
  xautoclaim(key: string, name: string, consumer: string, minIdleMs: number, count: number): StreamEntry[] {
    const { pending } = this.group(key, name);
    const idle = [...pending].filter(([, { since }]) => this.now() - since >= minIdleMs);
    idle.sort(([a], [b]) => (after(a, b) ? 1 : -1));
    const ids = idle.slice(0, count).map(([id]) => id);
    return this.xclaim(key, name, consumer, ids).map((id) => this.find(key, id) as StreamEntry);
  }

  /** Registers a function to call when a stream may have got an entry. @returns a function that ends it. */
  onAppend(wake: () => void): () => void {
    this.readers.add(wake);
    return () => this.readers.delete(wake);
  }

  /** Returns a copy: the contents on disk, or on a replica, at this moment. */
  copy(): RedisStore {
    const copy = new RedisStore(this.now);
    copy.runId = this.runId;
    copy.hashes = new Map([...this.hashes].map(([key, hash]) => [key, new Map(hash)]));
    copy.sets = new Map([...this.sets].map(([key, set]) => [key, new Set(set)]));
    copy.streams = new Map([...this.streams].map(([key, stream]) => [key, copyOf(stream)]));
    return copy;
  }

  /** Replaces the server: another one, or the same after a restart, holds the contents of the copy. Null: it is empty. */
  becomes(copy: RedisStore | null): void {
    const other = copy?.copy();
    this.hashes = other?.hashes ?? new Map();
    this.sets = other?.sets ?? new Map();
    this.streams = other?.streams ?? new Map();
    this.runId += 1;
  }

  private find = (key: string, id: string) => this.streams.get(key)?.entries.find(([each]) => each === id);

  private group(key: string, name: string): Group {
    const group = this.streams.get(key)?.groups.get(name);
    if (!group) throw noGroup();
    return group;
  }

  private stream(key: string): Stream {
    let stream = this.streams.get(key);
    if (!stream) {
      stream = { entries: [], lastId: '0-0', added: 0, groups: new Map() };
      this.streams.set(key, stream);
    }
    return stream;
  }
}

function after(a: string, b: string): boolean {
  const [ms = 0, nth = 0] = a.split('-').map(Number);
  const [otherMs = 0, otherNth = 0] = b.split('-').map(Number);
  return ms > otherMs || (ms === otherMs && nth > otherNth);
}

function copyOf({ entries, lastId, added, groups }: Stream): Stream {
  const copied = [...groups].map(([name, { last, pending }]): [string, Group] => [
    name,
    { last, pending: new Map(pending) },
  ]);
  return { entries: [...entries], lastId, added, groups: new Map(copied) };
}
