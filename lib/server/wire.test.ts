import { describe, expect, it } from 'vitest';
import { createWire } from './wire';

const page = { status: 200, headers: ['content-length', '4'], body: Buffer.from('page') };
const reply = { status: 200, headers: {}, body: 'text' };
const headOf = (bytes: string | Buffer) => bytes.toString().split('\r\n\r\n')[0]?.split('\r\n');

describe('the head of an answer', () => {
  it.each([
    ['page', 'page'],
    ['reply', 'text'],
  ] as const)('[F2] ends before the body, also of the first answer: a %s', (kind, body) => {
    for (const isLast of [false, true]) {
      const wire = createWire([], () => 75_000);
      const bytes = kind === 'page' ? wire.page(page, isLast) : wire.reply(reply, isLast);
      expect(bytes.toString().split('\r\n\r\n')).toEqual([expect.stringMatching(/^HTTP/), body]);
      expect(headOf(bytes)).toContain(isLast ? 'Connection: close' : 'Keep-Alive: timeout=75');
    }
  });

  it('[A6] tells how long the connection stays open now', () => {
    let idleMs = 75_000;
    const wire = createWire([], () => idleMs);
    expect(headOf(wire.reply(reply, false))).toContain('Keep-Alive: timeout=75');
    idleMs = 5_000;
    expect(headOf(wire.reply(reply, false))).toContain('Keep-Alive: timeout=5');
  });
});
