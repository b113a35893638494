import { describe, expect, it } from 'vitest';
import { type BlockChange, createBlockMemory } from './block-memory';

const change = (
  kind: BlockChange['kind'],
  value: string,
  expiresAt: number | null = null,
  isLifted = false,
) => ({
  kind,
  value,
  expiresAt,
  isLifted,
});

describe('the blocklist in memory', () => {
  it('[G8] finds accounts, devices and networks, says until when, and nobody else', () => {
    const memory = createBlockMemory();
    memory.apply(change('user', 'user_1'));
    memory.apply(change('device', 'device_1', 50));
    memory.apply(change('ip', '10.0.0.0/8', 70));
    expect(memory.find({ userId: 'user_1', address: () => '10.1.1.1' }, 0)).toEqual({
      kind: 'user',
      expiresAt: null,
    });
    expect(memory.find({ userId: 'user_2', device: 'device_1' }, 0)).toEqual({
      kind: 'device',
      expiresAt: 50,
    });
    expect(memory.find({ userId: 'user_2', address: () => '10.1.1.1' }, 0)).toEqual({
      kind: 'ip',
      expiresAt: 70,
    });
    expect(memory.find({ userId: 'device_1', device: 'user_1', address: () => '11.1.1.1' }, 0)).toBeNull();
    expect(memory.find({ userId: '', device: '', address: () => null }, 0)).toBeNull();
    expect(memory.find({}, 0)).toBeNull();
  });

  it('[G8] lets a block expire by the clock alone, and forgets it then', () => {
    const memory = createBlockMemory();
    for (const kind of ['user', 'device'] as const) memory.apply(change(kind, 'x', 100));
    memory.apply(change('ip', '10.0.0.1', 100));
    const found = (at: number) =>
      [{ userId: 'x' }, { device: 'x' }, { address: () => '10.0.0.1' }].map(
        (subject) => memory.find(subject, at) !== null,
      );
    expect(found(99)).toEqual([true, true, true]);
    expect(found(100)).toEqual([false, false, false]);
    expect(memory.size).toBe(3);
    memory.sweep(100);
    expect(memory.size).toBe(0);
  });

  it('[G8] is extended and lifted, in the order of the changes', () => {
    const memory = createBlockMemory();
    memory.apply(change('user', 'x', 100));
    memory.apply(change('user', 'x', 200));
    expect([memory.size, memory.find({ userId: 'x' }, 150)?.expiresAt]).toEqual([1, 200]);
    memory.apply(change('user', 'x', 200, true));
    expect([memory.size, memory.find({ userId: 'x' }, 0)]).toEqual([0, null]);
    memory.apply(change('user', 'never there', null, true));
    memory.apply(change('user', 'x', 300));
    expect(memory.find({ userId: 'x' }, 0)).not.toBeNull();
  });

  it('[G8] leaves out what is no network, and takes the others', () => {
    const memory = createBlockMemory();
    for (const value of ['by hand', '10.0.0.1']) memory.apply(change('ip', value));
    memory.apply(change('ip', 'by hand', null, true));
    expect([memory.size, memory.find({ address: () => '10.0.0.1' }, 0)?.kind]).toEqual([1, 'ip']);
  });

  it('[G8] is bounded: what finds no room is said to, and what is there can still be extended', () => {
    const memory = createBlockMemory(2);
    expect(['a', 'b', 'c'].map((value) => memory.apply(change('user', value)))).toEqual([true, true, false]);
    expect(memory.find({ userId: 'c' }, 0)).toBeNull();
    expect(memory.apply(change('user', 'a', 9_999))).toBe(true);
    memory.apply(change('user', 'b', null, true));
    expect(memory.apply(change('user', 'c'))).toBe(true);
  });
});
