/** One entry of a stream: its id, and fields and values in turn. */
export type StreamEntry = [string, string[]];
type Pending = { consumer: string; since: number };
type Group = { last: string; pending: Map<string, Pending> };
type Stream = { entries: StreamEntry[]; lastId: string; added: number; groups: Map<string, Group> };
/** What one server holds. */
type Contents = {
  hashes: Map<string, Map<string, string>>;
  sets: Map<string, Set<string>>;
  streams: Map<string, Stream>;
  sorted: Map<string, Map<string, number>>;
  /** Changes whenever the server is replaced or restarted. */
  runId: number;
};

const noGroup = () => new Error('NOGROUP No such consumer group');

const none = (): Omit<Contents, 'runId'> => ({
  hashes: new Map(),
  sets: new Map(),
  streams: new Map(),
  sorted: new Map(),
});

/**
 * The simulated Redis: hashes, sets, sorted sets, and streams with consumer groups, as far as the product uses them. Keys may lie
 * on several servers, which are lost one at a time.
 */
export class RedisStore {
  private readonly contents: Contents[];
  private readonly readers = new Set<() => void>();

  /**
   * Makes an empty store. @param now the servers' clock, epoch ms. @param placeOf says on which server a key lies, by its hash
   * tag, from 0
   */
  constructor(
    readonly now: () => number,
    servers = 1,
    private readonly placeOf: (tag: string) => number = () => 0,
  ) {
    this.contents = Array.from({ length: servers }, () => ({ ...none(), runId: 1 }));
  }

  /** Returns which run of its server a key lies on. */
  runIdOf = (key: string): number => this.of(key).runId;

  private of(key: string): Contents {
    const place =
      this.contents.length === 1 ? 0 : this.placeOf(key.slice(key.indexOf('{') + 1, key.indexOf('}')));
    return this.contents[place] as Contents;
  }

  hash(key: string): Map<string, string> | undefined {
    return this.of(key).hashes.get(key);
  }

  hset(key: string, fields: Readonly<Record<string, string | number>>): void {
    let hash = this.of(key).hashes.get(key);
    if (!hash) {
      hash = new Map();
      this.of(key).hashes.set(key, hash);
    }
    for (const [field, value] of Object.entries(fields)) hash.set(field, String(value));
  }

  unlink(key: string): number {
    const { hashes, sets, streams, sorted } = this.of(key);
    return [hashes, sets, streams, sorted].filter((keys) => keys.delete(key)).length;
  }

  rename(from: string, to: string): void {
    this.unlink(to);
    const { hashes, sorted } = this.of(to);
    for (const keyed of [hashes, sorted] as Map<string, unknown>[]) {
      if (!keyed.has(from)) continue;
      keyed.set(to, keyed.get(from));
      keyed.delete(from);
    }
  }

  hdel = (key: string, field: string): number => (this.of(key).hashes.get(key)?.delete(field) ? 1 : 0);

  zadd(key: string, member: string, score: number): void {
    const members = this.of(key).sorted.get(key) ?? new Map<string, number>();
    this.of(key).sorted.set(key, members.set(member, score));
  }

  zrem(key: string, member: string): number {
    const members = this.of(key).sorted.get(key);
    if (!members?.delete(member)) return 0;
    if (members.size === 0) this.of(key).sorted.delete(key);
    return 1;
  }

  /** Returns the members of a sorted set with their scores, lowest first. */
  zrange = (key: string): [string, number][] =>
    [...(this.of(key).sorted.get(key) ?? [])].sort(([, a], [, b]) => a - b);

  zcard = (key: string): number => this.of(key).sorted.get(key)?.size ?? 0;

  zrank(key: string, member: string): number | null {
    const rank = this.zrange(key).findIndex(([each]) => each === member);
    return rank === -1 ? null : rank;
  }

  sadd(key: string, member: string): number {
    const set = this.of(key).sets.get(key) ?? new Set<string>();
    this.of(key).sets.set(key, set);
    if (set.has(member)) return 0;
    set.add(member);
    return 1;
  }

  srem = (key: string, member: string): number => (this.of(key).sets.get(key)?.delete(member) ? 1 : 0);
  smembers = (key: string): string[] => [...(this.of(key).sets.get(key) ?? [])];

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

  xlen = (key: string): number => this.of(key).streams.get(key)?.entries.length ?? 0;

  xrange(key: string, from: string, count: number): StreamEntry[] {
    const entries = this.of(key).streams.get(key)?.entries ?? [];
    const isIn = (id: string) =>
      from === '-' || (from[0] === '(' ? after(id, from.slice(1)) : !after(from, id));
    return entries.filter(([id]) => isIn(id)).slice(0, count);
  }

  /** Returns how many entries were ever added; null if there is no such stream. */
  xadded = (key: string): number | null => this.of(key).streams.get(key)?.added ?? null;

  xreadgroup(key: string, name: string, consumer: string, count: number): StreamEntry[] {
    const group = this.group(key, name);
    const found = (this.of(key).streams.get(key)?.entries ?? [])
      .filter(([id]) => after(id, group.last))
      .slice(0, count);
    for (const [id] of found) {
      group.last = id;
      group.pending.set(id, { consumer, since: this.now() });
    }
    return found;
  }

  xack(key: string, name: string, ids: readonly string[]): number {
    const pending = this.of(key).streams.get(key)?.groups.get(name)?.pending;
    return ids.filter((id) => pending?.delete(id)).length;
  }

  xdel(key: string, ids: readonly string[]): number {
    const stream = this.of(key).streams.get(key);
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

  /** Returns a copy of what a server holds: the contents on disk, or on a replica, at this moment. */
  copy(server = 0): Contents {
    return copyOf(this.contents[server] as Contents);
  }

  /** Replaces a server: another one, or the same after a restart, holds the contents of the copy. Null: it is empty. */
  becomes(copy: Contents | null, server = 0): void {
    const { runId } = this.contents[server] as Contents;
    this.contents[server] = { ...(copy ? copyOf(copy) : none()), runId: runId + 1 };
  }

  private find = (key: string, id: string) =>
    this.of(key)
      .streams.get(key)
      ?.entries.find(([each]) => each === id);

  private group(key: string, name: string): Group {
    const group = this.of(key).streams.get(key)?.groups.get(name);
    if (!group) throw noGroup();
    return group;
  }

  private stream(key: string): Stream {
    let stream = this.of(key).streams.get(key);
    if (!stream) {
      stream = { entries: [], lastId: '0-0', added: 0, groups: new Map() };
      this.of(key).streams.set(key, stream);
    }
    return stream;
  }
}

function after(a: string, b: string): boolean {
  const [ms = 0, nth = 0] = a.split('-').map(Number);
  const [otherMs = 0, otherNth = 0] = b.split('-').map(Number);
  return ms > otherMs || (ms === otherMs && nth > otherNth);
}

const copyOf = ({ hashes, sets, streams, sorted, runId }: Contents): Contents => ({
  hashes: new Map([...hashes].map(([key, hash]) => [key, new Map(hash)])),
  sets: new Map([...sets].map(([key, set]) => [key, new Set(set)])),
  streams: new Map([...streams].map(([key, stream]) => [key, streamOf(stream)])),
  sorted: new Map([...sorted].map(([key, members]) => [key, new Map(members)])),
  runId,
});

function streamOf({ entries, lastId, added, groups }: Stream): Stream {
  const copied = [...groups].map(([name, { last, pending }]): [string, Group] => [
    name,
    { last, pending: new Map(pending) },
  ]);
  return { entries: [...entries], lastId, added, groups: new Map(copied) };
}
