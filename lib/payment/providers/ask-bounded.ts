import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { processWide } from '@/lib/process-wide';
import { ProviderFault } from './provider-fault';

/** How many questions of one process are under way at one provider: Stripe takes 100 a second from an account, 25 in test mode. */
const AT_ONCE = 16;
/** As many take some ten seconds to be asked; a shopper does not wait longer. */
const MOST_WAITING = 500;
/** After a 429 a question waits this long, ms, and up to twice as long; the SDKs themselves give up at once. */
const BACK_OFF_MS = [300, 800, 2_000];

type Asked<Settings, Client> = {
  /** As messages name it. */
  name: string;
  settings(): Settings | null;
  /** Loads the SDK: only a process that asks pays for it. */
  makeClient(settings: Settings): Promise<Client>;
  /** Reads what the SDK throws. */
  toFault(error: unknown): ProviderFault;
};

/**
 * Returns the way to ask another company by its SDK: a few questions at a time, and again after it has refused one
 * for too many. New settings make a new client. What it returns throws ProviderFault.
 */
export function askBounded<Settings extends object, Client>({
  name,
  settings,
  makeClient,
  toFault,
}: Asked<Settings, Client>): <T>(ask: (client: Client) => Promise<T>) => Promise<T> {
  const state = processWide(`provider ${name}`, () => ({
    made: null as { by: Settings; client: Promise<Client> } | null,
    limit: pLimit(AT_ONCE),
  }));

  function clientOf(): Promise<Client> {
    const by = settings();
    if (!by) throw new ProviderFault(`${name} is not set up`);
    if (state.made?.by !== by) state.made = { by, client: makeClient(by) };
    return state.made.client;
  }

  return async (ask) => {
    const client = await clientOf();
    for (let refused = 0; ; refused += 1) {
      if (state.limit.pendingCount >= MOST_WAITING)
        throw new ProviderFault(`too many questions wait for ${name}`);
      try {
        return await state.limit(() => ask(client));
      } catch (error) {
        const waitMs = BACK_OFF_MS[refused];
        const fault = toFault(error);
        if (fault.status !== 429 || waitMs === undefined) throw fault;
        await delay(waitMs * (1 + Math.random()));
      }
    }
  };
}
