import { setTimeout as sleep } from 'node:timers/promises';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from '@/lib/challenge/types';
import { ask, type Reply } from './ask';
import { signIn } from './sign-in';

/** Holds cookies; accounts on the same device share one jar. */
type Jar = { device: string };

/** A signed-in user, person or script, who talks to the shop directly. */
export type Client = {
  userId: string;
  /** Address of the web process, as `http://…`. */
  origin: string;
  /** The client's address, as the proxy before the shop reports it. */
  address: string;
  /** null: the client keeps no cookies but the session's. */
  jar: Jar | null;
  session: string;
};

type Solution = { challengeId: string; answer: string };

const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const DEVICE_COOKIE = 'seckill-device=';

export const createClient = async (given: Omit<Client, 'session'>): Promise<Client> => ({
  ...given,
  session: await signIn(given.userId),
});

/** Names an answer briefly: `202`, `403 BLOCKED`, `unanswered`. */
export const nameOf = (reply: Reply): string =>
  reply.kind === 'unanswered' ? 'unanswered' : `${reply.httpStatus} ${reply.body.code ?? ''}`.trim();

/** Posts as the shop's own page would. @param origin another web process than the client's own */
export async function post(
  client: Client,
  path: string,
  {
    body = {},
    entryToken,
    origin = client.origin,
    headers = {},
  }: { body?: unknown; entryToken?: string; origin?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { session, jar, address } = client;
  const reply = await ask(`${origin}${path}`, {
    method: 'POST',
    headers: {
      origin,
      cookie: jar?.device ? `${session}; ${jar.device}` : session,
      'user-agent': AGENT,
      'accept-language': 'en',
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(entryToken === undefined ? {} : { 'x-entry-token': entryToken }),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const given = reply.kind === 'answered' && reply.cookies.find((cookie) => cookie.startsWith(DEVICE_COOKIE));
  if (jar && given) jar.device ||= given;
  return reply;
}

export const enter = (client: Client, saleId: string, challenge?: Solution): Promise<Reply> =>
  post(client, `/api/sales/${saleId}/entry`, { body: challenge ? { challenge } : {} });

export const purchase = (
  client: Client,
  saleId: string,
  { gate, entryToken, origin }: { gate: string; entryToken?: string; origin?: string },
): Promise<Reply> =>
  post(client, `/api/sales/${saleId}/purchase/${gate}`, { body: { quantity: 1 }, entryToken, origin });

/** Reads the gate, which the state shows once the sale is open; null before. */
export async function readGate({ origin, address }: Client, saleId: string): Promise<string | null> {
  const reply = await ask(`${origin}/api/sales/${saleId}/state`, { headers: { 'x-forwarded-for': address } });
  return reply.kind === 'answered' && typeof reply.body.gate === 'string' ? reply.body.gate : null;
}

/** Asks for a challenge and really does the calculation. @returns the refusal, if the shop gives no challenge */
export const solve = (client: Client, saleId: string): Promise<Solution | Reply> =>
  solveWithin(client, saleId, { tries: Number.POSITIVE_INFINITY });

/**
 * Does the same, but only a calculation that the budget covers, and takes it off the budget.
 * @returns the refusal, or the challenge that is too hard
 */
export async function solveWithin(
  client: Client,
  saleId: string,
  budget: { tries: number },
): Promise<Solution | Reply> {
  const reply = await patiently(() =>
    post(client, `/api/sales/${saleId}/challenge`, { body: { kind: 'pow' } }),
  );
  if (reply.kind === 'unanswered' || reply.httpStatus !== 200) return reply;
  const challenge = reply.body as unknown as Challenge;
  if (challenge.kind !== 'pow') throw new Error(`asked for a calculation, got a ${challenge.kind}`);
  // On average: the number lies between a half and one and a half of it.
  const tries = challenge.maxTries / 1.5;
  if (tries > budget.tries) return { ...reply, body: { code: 'too hard for the farm' } };
  budget.tries -= tries;
  const solution = await solveChallenge({ challenge: { parameters: challenge.parameters }, deriveKey });
  return { challengeId: challenge.challengeId, answer: JSON.stringify(solution) };
}

/**
 * Enters as the shop's page does, with a challenge where the sale asks for one; again while the shop is busy.
 * @param budget what the client can calculate
 * @returns the entry token, or the refusal's name
 */
export async function goIn(
  client: Client,
  saleId: string,
  budget = { tries: Number.POSITIVE_INFINITY },
): Promise<{ entryToken: string } | { refusal: string }> {
  let reply = await patiently(() => enter(client, saleId));
  if (nameOf(reply).endsWith('CHALLENGE_REQUIRED')) {
    const solution = await solveWithin(client, saleId, budget);
    const isNotNeeded = 'kind' in solution && nameOf(solution).endsWith('NOT_NEEDED');
    if ('kind' in solution && !isNotNeeded) return { refusal: nameOf(solution) };
    const solved = 'kind' in solution ? undefined : solution;
    reply = await patiently(() => enter(client, saleId, solved));
  }
  const entryToken = reply.kind === 'answered' ? reply.body.entryToken : undefined;
  return typeof entryToken === 'string' ? { entryToken } : { refusal: nameOf(reply) };
}

/** Repeats a request while the shop is busy or gives no answer, as its page does. */
export async function patiently(attempt: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await attempt();
    const isFinal = reply.kind === 'answered' && reply.httpStatus < 500;
    if (isFinal || tries === 20) return reply;
    await sleep(300);
  }
}
