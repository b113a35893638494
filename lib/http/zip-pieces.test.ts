import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { zipPieces } from './zip-pieces';

async function* slowly(...pieces: string[]) {
  for (const piece of pieces) yield await Promise.resolve(piece);
}
async function allOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
const AT = new Date('2026-11-28T12:00:00Z');

describe('a ZIP', () => {
  it('[N2] holds each file whole, whatever its letters and its length', async () => {
    const long = 'Lämpchen 灯笼 🏮\n'.repeat(20_000);
    const pieces = zipPieces(
      [
        { name: 'long.json', pieces: slowly(long, '[', long) },
        { name: 'empty.json', pieces: [] },
        { name: '灯.json', pieces: ['{}'] },
      ],
      AT,
    );
    const files = unzipSync(await allOf(pieces));
    expect(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual([
      ['long.json', `${long}[${long}`],
      ['empty.json', ''],
      ['灯.json', '{}'],
    ]);
  });

  it('[N2] is given before its files are read to the end', async () => {
    let read = 0;
    async function* counted() {
      for (; read < 100; read += 1) yield 'x'.repeat(100_000);
    }
    const pieces = zipPieces([{ name: 'a', pieces: counted() }], AT);
    for (let nth = 0; nth < 6; nth += 1) await pieces.next();
    expect(read).toBeLessThan(6);
    await pieces.return(undefined);
  });

  it('[N2] breaks off where a file breaks off', async () => {
    async function* broken() {
      yield 'half';
      throw new Error('the database is away');
    }
    const reading = allOf(zipPieces([{ name: 'a', pieces: broken() }], AT));
    await expect(reading).rejects.toThrow('the database is away');
  });
});
