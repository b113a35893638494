import { afterEach, describe, expect, it, vi } from 'vitest';
import { flushSpans } from './export-spans';
import { isTracing, recordSpan, spanClock } from './record-span';
import { isSampled, traceIdsOf } from './trace-ids';

afterEach(() => vi.restoreAllMocks());

describe('traces', () => {
  it('[J2] every process finds the same trace for a token, and another one for another', () => {
    expect(traceIdsOf('jti_1')).toEqual(traceIdsOf('jti_1'));
    expect(traceIdsOf('jti_1').traceId).not.toBe(traceIdsOf('jti_2').traceId);
  });

  it('[J2] keeps about the share that is wanted', () => {
    const ids = Array.from({ length: 2_000 }, (_, n) => traceIdsOf(`jti_${n}`).traceId);
    const kept = (share: number) => ids.filter((id) => isSampled(id, share)).length;
    expect(kept(0)).toBe(0);
    expect(kept(1)).toBe(2_000);
    expect(kept(0.5)).toBeGreaterThan(800);
    expect(kept(0.5)).toBeLessThan(1_200);
  });

  it('[J2] without a collector nothing is recorded and nobody is called', async () => {
    const call = vi.spyOn(globalThis, 'fetch');
    expect(isTracing()).toBe(false);
    recordSpan('entry', 'jti_1', spanClock(), { saleId: 'sale_1' });
    await flushSpans();
    expect(call).not.toHaveBeenCalled();
  });
});
