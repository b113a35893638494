import { Writable } from 'node:stream';
import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { writeTogether } from './write-together';

/** Returns a client on a connection that notes which pieces it is given, and how many at a time. */
function connected() {
  const pieces: string[][] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      pieces.push([String(chunk)]);
      done();
    },
    writev: (chunks, done) => {
      pieces.push(chunks.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  return { redis: { stream } as unknown as Redis, stream, pieces };
}

describe('writing together', () => {
  it('gives the connection all commands at once, in their order', () => {
    const { redis, stream, pieces } = connected();
    writeTogether(redis, () => {
      for (const command of ['a', 'b', 'c']) stream.write(command);
    });
    expect(pieces).toEqual([['a', 'b', 'c']]);
  });

  it('holds nothing back after an error', () => {
    const { redis, stream, pieces } = connected();
    expect(() =>
      writeTogether(redis, () => {
        stream.write('a');
        throw new Error('no');
      }),
    ).toThrow('no');
    stream.write('b');
    expect(pieces).toEqual([['a'], ['b']]);
  });

  it('sends without a connection too: the client keeps the commands', () => {
    let isSent = false;
    writeTogether({} as Redis, () => {
      isSent = true;
    });
    expect(isSent).toBe(true);
  });
});
