export type Piece = { bytes: Buffer; isLast: boolean };

/** Cuts a stream into pieces of `size` bytes; the last one, always there, may be shorter or empty. */
export async function* inPieces(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Piece> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    length += chunk.length;
    // A full piece waits for the next byte: until then it may be the last one.
    if (length <= size) continue;
    const all = Buffer.concat(waiting);
    let at = 0;
    for (; all.length - at > size; at += size) yield { bytes: all.subarray(at, at + size), isLast: false };
    waiting = [all.subarray(at)];
    length = all.length - at;
  }
  yield { bytes: Buffer.concat(waiting), isLast: true };
}
