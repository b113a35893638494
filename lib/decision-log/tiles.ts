import 'server-only';
import type { Db } from '@/lib/db/client';
import { nodeInput } from './proof/merkle';
import { nodeSha256 } from './pseudonym';

/** Levels of the tree that a level of tiles spans: a tile has 2⁸ hashes. */
const SPAN = 8;
const WIDTH = 2 ** SPAN;
const BYTES = 32;

const combine = (left: Buffer, right: Buffer): Buffer => nodeSha256(nodeInput(left, right));

type Tile = { hashes: Buffer[]; isChanged: boolean };

/**
 * The hashes of one sale's log. The tree is cut into tiles of 256 (as Go's checksum database does), so that a proof in a
 * log of 10⁶ leaves reads six rows at most, and appending reads and writes no more than the tiles at the right edge.
 */
export class LogTiles {
  private readonly known = new Map<string, Promise<Tile>>();

  constructor(
    private readonly tx: Db,
    private readonly saleId: string,
  ) {}

  /** Appends the hash of the leaf with this index, which must be the next. Stored by `save`. */
  async append(index: number, hash: Buffer): Promise<void> {
    for (let [level, at, node] = [0, index, hash]; ; level += 1) {
      const tile = await this.tile(level, Math.floor(at / WIDTH));
      if (tile.hashes.length !== at % WIDTH)
        throw new Error(`tile ${level} of ${this.saleId} does not end at ${at}`);
      tile.hashes.push(node);
      tile.isChanged = true;
      if (tile.hashes.length < WIDTH) return;
      node = fold(tile.hashes);
      at = Math.floor(at / WIDTH);
    }
  }

  /** Writes the changed tiles. */
  async save(): Promise<void> {
    const tiles = await Promise.all(
      [...this.known].map(async ([place, made]) => ({ place: place.split('/'), ...(await made) })),
    );
    const changed = tiles.filter(({ isChanged }) => isChanged);
    if (changed.length === 0) return;
    await this.tx.$executeRaw`
      INSERT INTO decision_tiles (sale_id, level, index, hashes)
      SELECT ${this.saleId}, level, index, hashes
      FROM unnest(${changed.map(({ place }) => Number(place[0]))}::smallint[],
                  ${changed.map(({ place }) => place[1])}::text[]::bigint[],
                  ${changed.map(({ hashes }) => Buffer.concat(hashes))}::bytea[]) AS t (level, index, hashes)
      ON CONFLICT (sale_id, level, index) DO UPDATE SET hashes = excluded.hashes`;
  }

  /** Computes the root of the first `size` leaves. */
  root(size: number): Promise<Buffer> {
    return this.rootOf(0, size);
  }

  /** Makes an inclusion proof (RFC 9162, 2.1.3.1). */
  async inclusion(index: number, size: number): Promise<Buffer[]> {
    const proof: Buffer[] = [];
    for (let [from, to] = [0, size]; to - from > 1; ) {
      const middle = from + largestPowerBelow(to - from);
      if (index < middle) {
        proof.push(await this.rootOf(middle, to));
        to = middle;
      } else {
        proof.push(await this.rootOf(from, middle));
        from = middle;
      }
    }
    return proof.reverse();
  }

  /** Makes a consistency proof (RFC 9162, 2.1.4.1). @param from at least 1, and at most `to` */
  async consistency(older: number, newer: number): Promise<Buffer[]> {
    const proof: Buffer[] = [];
    let [from, to, isWhole] = [0, newer, true];
    while (older < to) {
      const middle = from + largestPowerBelow(to - from);
      if (older <= middle) {
        proof.push(await this.rootOf(middle, to));
        to = middle;
      } else {
        proof.push(await this.rootOf(from, middle));
        [from, isWhole] = [middle, false];
      }
    }
    if (!isWhole) proof.push(await this.rootOf(from, to));
    return proof.reverse();
  }

  /** Computes the root of the leaves from `from` until before `to`, which begin where a subtree of their size does. */
  private async rootOf(from: number, to: number): Promise<Buffer> {
    const size = to - from;
    const level = Math.log2(size);
    if (Number.isInteger(level)) return this.node(level, from / size);
    const middle = from + largestPowerBelow(size);
    return combine(await this.rootOf(from, middle), await this.rootOf(middle, to));
  }

  /** Returns the hash of a complete subtree. */
  private async node(level: number, index: number): Promise<Buffer> {
    const count = 2 ** (level % SPAN);
    const first = index * count;
    const { hashes } = await this.tile(Math.floor(level / SPAN), Math.floor(first / WIDTH));
    const part = hashes.slice(first % WIDTH, (first % WIDTH) + count);
    if (part.length < count) throw new Error(`the log of ${this.saleId} lacks hashes of level ${level}`);
    return fold(part);
  }

  private tile(level: number, index: number): Promise<Tile> {
    const place = `${level}/${index}`;
    const known = this.known.get(place) ?? this.load(level, index);
    this.known.set(place, known);
    return known;
  }

  private async load(level: number, index: number): Promise<Tile> {
    const [row] = await this.tx.$queryRaw<{ hashes: Uint8Array }[]>`
      SELECT hashes FROM decision_tiles
      WHERE sale_id = ${this.saleId} AND level = ${level}::smallint AND index = ${index}::bigint`;
    const bytes = Buffer.from(row?.hashes ?? []);
    const hashes = Array.from({ length: bytes.length / BYTES }, (_, at) =>
      bytes.subarray(at * BYTES, (at + 1) * BYTES),
    );
    return { hashes, isChanged: false };
  }
}

/** The largest power of two below `n`. @param n at least 2 */
const largestPowerBelow = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

/** Computes the root of a complete subtree. */
function fold(hashes: readonly Buffer[]): Buffer {
  let level = hashes;
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, at) =>
      combine(level[2 * at] as Buffer, level[2 * at + 1] as Buffer),
    );
  return level[0] as Buffer;
}
