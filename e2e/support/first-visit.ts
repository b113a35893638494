import type { CDPSession, Page } from '@playwright/test';

/** The cost of a visit. Layout shift and bytes are exact; times depend on how busy the machine is. */
export interface Visit {
  /** All scripts on the wire, with their headers, bytes. */
  scriptBytes: number;
  /** How often and how far things moved by themselves (https://web.dev/articles/cls). */
  layoutShift: number;
  /** How long tasks kept the page from answering, ms: what each took beyond 50 ms. */
  blockedMs: number;
}

interface Seen {
  layoutShift: number;
  blockedMs: number;
}

declare global {
  var seenByVisit: Seen | undefined;
}

/** A telephone of the middle class on a slow mobile connection. */
const PHONE = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
const CPU_SLOWDOWN = 4;

async function slowDown(client: CDPSession): Promise<void> {
  await client.send('Network.emulateNetworkConditions', PHONE);
  await client.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

/**
 * Opens a page with an empty cache and measures until `isReady` resolves and the page has come to rest.
 * @param isSlow as on a telephone
 */
export async function visit(
  page: Page,
  path: string,
  isReady: () => Promise<unknown>,
  { isSlow = false } = {},
): Promise<Visit & { readyMs: number }> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (isSlow) await slowDown(client);
  const scripts = new Set<string>();
  let scriptBytes = 0;
  client.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scriptBytes += encodedDataLength;
  });
  await page.addInitScript(observe);
  const since = Date.now();
  await page.goto(path, { waitUntil: 'commit' });
  await isReady();
  const readyMs = Date.now() - since;
  await page.waitForLoadState('load');
  const seen = await page.evaluate(atRest);
  await client.detach();
  return { ...seen, scriptBytes, readyMs };
}

/** Runs in the page, before its own scripts. */
function observe(): void {
  const seen: Seen = { layoutShift: 0, blockedMs: 0 };
  globalThis.seenByVisit = seen;
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries() as Shift[])
      if (!shift.hadRecentInput) seen.layoutShift += shift.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.blockedMs += Math.max(0, duration - 50);
  }).observe({ type: 'longtask', buffered: true });
}

/** Runs in the page: returns what was seen once it has had nothing to do for a moment. */
async function atRest(): Promise<Seen> {
  const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }));
  const painted = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let round = 0; round < 3; round += 1) {
    await painted();
    await idle();
  }
  return globalThis.seenByVisit ?? { layoutShift: Number.NaN, blockedMs: Number.NaN };
}
