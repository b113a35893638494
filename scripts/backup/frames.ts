/**
 * A backup is a sequence of frames: a letter, a length of four bytes, and as many bytes. `P` begins a part and names
 * it, `D` is data of the latest part.
 */
type Frame = { kind: 'P' | 'D'; bytes: Buffer };

/** One part of a backup. Its data must be read before the next part. */
export type ReadPart = { name: string; data: AsyncIterable<Buffer> };

const PREFIX_BYTES = 5;
/** Longer data is cut into several frames, so that a reader needs little memory. */
const MOST_BYTES = 1024 * 1024;

/** Writes the name of a part; its data follows. */
export const toHeading = (name: string): Buffer => toFrame('P', Buffer.from(name));

/** Writes data of the part begun last. */
export function* toData(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += MOST_BYTES)
    yield toFrame('D', bytes.subarray(at, at + MOST_BYTES));
}

function toFrame(kind: Frame['kind'], bytes: Buffer): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.write(kind, 'latin1');
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/** Reads parts. @throws Error on anything else: the bytes were authentic, so this is a bug of the writer. */
export async function* readParts(source: AsyncIterable<Buffer>): AsyncGenerator<ReadPart> {
  const frames = readFrames(source);
  let next = await frames.next();
  async function* readData() {
    for (next = await frames.next(); !next.done && next.value.kind === 'D'; next = await frames.next())
      yield next.value.bytes;
  }
  while (!next.done) {
    if (next.value.kind !== 'P') throw new Error('data without a part');
    yield { name: next.value.bytes.toString(), data: readData() };
  }
}

async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let waiting: Buffer[] = [];
  let length = 0;
  let needed = PREFIX_BYTES;
  for await (const chunk of source) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < needed) continue;
    let all = Buffer.concat(waiting);
    for (needed = frameBytes(all); all.length >= needed; needed = frameBytes(all)) {
      const kind = all.toString('latin1', 0, 1);
      if (kind !== 'P' && kind !== 'D') throw new Error(`a frame of kind ${kind}`);
      yield { kind, bytes: all.subarray(PREFIX_BYTES, needed) };
      all = all.subarray(needed);
    }
    waiting = [all];
    length = all.length;
  }
  if (length > 0) throw new Error('the last frame is not whole');
}

/** How many bytes the frame takes that begins here, as far as they say. */
function frameBytes(bytes: Buffer): number {
  if (bytes.length < PREFIX_BYTES) return PREFIX_BYTES;
  const length = bytes.readUInt32BE(1);
  if (length > MOST_BYTES) throw new Error(`a frame of ${length} bytes`);
  return PREFIX_BYTES + length;
}
