import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askingScript } from './early-answers';
import { fetchAnswer, fetchJson } from './fetch-json';

const PATH = '/api/sales/sale_1/state';
const asked = vi.fn();

/** Does what a browser does with the script in the page. */
const run = (paths: string[]) => runInThisContext(askingScript(paths));

beforeEach(() => {
  asked.mockReset().mockImplementation(async () => Response.json({ n: asked.mock.calls.length }));
  vi.stubGlobal('fetch', asked);
});
afterEach(() => {
  vi.unstubAllGlobals();
  globalThis.earlyAnswers = undefined;
});

describe('[A1] what the page asked before its scripts were there', () => {
  it('answers the first question for an address, and no other', async () => {
    run([PATH]);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(await fetchJson(`${PATH}?clock=1`)).toEqual({ n: 2 });
    expect(await fetchJson(PATH, { method: 'POST' })).toEqual({ n: 3 });
    expect(await fetchJson(PATH, { headers: { 'x-entry-token': 't' } })).toEqual({ n: 4 });
    expect(await fetchJson(PATH)).toEqual({ n: 1 });
    expect(await fetchJson(PATH)).toEqual({ n: 5 });
  });

  it('says when it came, and is not taken once it is old', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    run([PATH]);
    await vi.waitFor(() => expect(globalThis.earlyAnswers?.[PATH]).toBeDefined(), 30_000);
    await globalThis.earlyAnswers?.[PATH];
    const cameAt = performance.now();
    vi.advanceTimersByTime(3_000);
    expect((await fetchAnswer(PATH)).receivedAt).toBe(cameAt);
    run([PATH]);
    await globalThis.earlyAnswers?.[PATH];
    vi.advanceTimersByTime(10_000);
    expect(await fetchJson(PATH)).toEqual({ n: 3 });
    vi.useRealTimers();
  });

  it('is asked again if it failed, and holds nobody up who gives up', async () => {
    asked.mockRejectedValueOnce(new TypeError('no network'));
    run([PATH]);
    expect(await fetchJson(PATH)).toEqual({ n: 2 });
    asked.mockReturnValueOnce(new Promise(() => {}));
    run([PATH]);
    await expect(fetchJson(PATH, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'NETWORK' });
  });

  it('cannot end the script that asks', () => {
    expect(askingScript(['/</script>'])).not.toContain('<');
  });
});
