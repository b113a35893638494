import { afterAll, describe, expect, it, vi } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { findState } from '@/lib/sale/read-state';
import { addStream, countStreams, sendTo } from './events-registry';
import { SocketSink } from './open-events';
import { socketPair } from './testing/socket-pair';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

describe('a stream', () => {
  it('[A3] beats every 15 s and ends after 2 to 4 minutes, but not around the start', async () => {
    const { saleId } = await createSaleFixture();
    const result = await findState(saleId);
    if (result.status !== 'found') throw new Error(result.status);
    const toStartMs = 180_000;
    const state = { ...result.state, startsAt: result.state.serverTime + toStartMs };
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const heard: string[][] = [];
      for (let n = 0; n < 300; n += 1) {
        const texts: string[] = [];
        heard.push(texts);
        const send = (bytes: Buffer) => texts.push(bytes.toString()) > 0;
        addStream(state, { send, end: () => {}, drop: () => {}, whenGone: () => {} }, null);
      }
      const from = performance.now();
      const leftAfter = (ms: number) => {
        vi.advanceTimersByTime(from + ms - performance.now());
        return countStreams().all;
      };
      expect(leftAfter(15_000)).toBe(300);
      for (const texts of heard) {
        expect(texts).toHaveLength(1);
        const serverTime = Number(/^event: beat\ndata: (\d+)\n\n$/.exec(String(texts[0]))?.[1]);
        expect(serverTime - state.serverTime).toBeGreaterThan(0);
        expect(serverTime - state.serverTime).toBeLessThanOrEqual(15_100);
      }
      expect(leftAfter(119_000)).toBe(300);
      const beforeStart = leftAfter(toStartMs - 11_000);
      expect(beforeStart).toBeLessThan(300);
      expect(beforeStart).toBeGreaterThan(0);
      const around = leftAfter(toStartMs - 9_000);
      expect(leftAfter(toStartMs + 9_000)).toBe(around);
      expect(leftAfter(toStartMs + 12_000)).toBeLessThan(around);
      expect(leftAfter(242_000)).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the limit per client', () => {
  it('[A3 N11] counts an IPv6 network as one client, as all other limits do', async () => {
    const { saleId } = await createSaleFixture();
    const result = await findState(saleId);
    if (result.status !== 'found') throw new Error(result.status);
    const { state } = result;
    const leave: (() => void)[] = [];
    const join = (address: string) =>
      addStream(
        state,
        { send: () => true, end: () => {}, drop: () => {}, whenGone: (forget) => leave.push(forget) },
        address,
      );
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:DB8:1:2::3', '192.0.2.1'])
      join(address);
    expect(countStreams('2001:db8:1:2::4')).toEqual({ all: 4, ofClient: 3 });
    expect(countStreams('2001:db8:1:3::1').ofClient).toBe(0);
    expect(countStreams('192.0.2.1').ofClient).toBe(1);
    for (const forget of leave) forget();
    expect(countStreams('2001:db8:1:2::4')).toEqual({ all: 0, ofClient: 0 });
  });
});

describe('a reader that does not read', () => {
  it('[A3] is dropped; nothing piles up for it', async () => {
    const { saleId } = await createSaleFixture();
    const result = await findState(saleId);
    if (result.status !== 'found') throw new Error(result.status);
    const [socket, client] = await socketPair();
    const stream = addStream(result.state, new SocketSink(socket), null);
    const bytes = Buffer.alloc(256 * 1_024, 'x');
    let sent = 0;
    // The system's own buffers hold a few megabytes.
    for (; countStreams().all > 0 && sent < 200; sent += 1) {
      sendTo(stream, bytes);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(200);
    expect(socket.destroyed).toBe(true);
    client.destroy();
  });
});
