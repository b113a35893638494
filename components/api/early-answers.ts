/** An answer to a question that the page's HTML asked before its scripts were there; see <EarlyRequests>. */
interface EarlyAnswer {
  response: Response;
  /** When it came, monotonic ms. */
  receivedAt: number;
}

declare global {
  var earlyAnswers: Record<string, Promise<EarlyAnswer>> | undefined;
}

/** An older answer says too little about now. */
const MAX_AGE_MS = 10_000;

/** Returns the script that asks our server's GET endpoints at these addresses. */
export const askingScript = (paths: readonly string[]): string =>
  scriptFor(JSON.stringify(paths).replaceAll('<', '\\u003c'));

/** Returns the script that asks one GET endpoint. @param address gives it from the page's path; uses nothing else */
export const askingScriptOf = (address: (pathname: string) => string): string =>
  scriptFor(`[(${address})(location.pathname)]`);

function scriptFor(list: string): string {
  return `for(const p of ${list})((globalThis.earlyAnswers??={})[p]=fetch(p,{cache:"no-store",headers:{accept:"application/json"}}).then(response=>({response,receivedAt:performance.now()}))).catch(()=>{})`;
}

/**
 * Takes the early answer for an address: once, since the next question wants to know something newer.
 * @param signal ends the wait
 * @returns null if there is none, if it failed, or if it is more than 10 s old
 * @throws the signal's reason
 */
export async function takeEarlyAnswer(path: string, signal: AbortSignal): Promise<EarlyAnswer | null> {
  const early = globalThis.earlyAnswers?.[path];
  if (!early) return null;
  delete globalThis.earlyAnswers?.[path];
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const answer = await Promise.race([early.catch(() => null), aborted]);
  return answer && performance.now() - answer.receivedAt < MAX_AGE_MS ? answer : null;
}
