import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { MAX_PER_MINUTE } from '@/lib/challenge/count-challenge';
import { createTask } from '@/lib/challenge/create-task';
import { LIFETIME_MS } from '@/lib/challenge/issue-challenge';
import type { Challenge, ChallengeSecret } from '@/lib/challenge/types';
import type { OfferedChallenge } from '@/lib/contract/shapes/challenge';
import { CHALLENGE_KINDS, type ChallengeKind, PUZZLES } from '@/lib/contract/words/challenge';
import { closeDb } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { newId } from '@/lib/ids/new-id';
import type { Requester } from '@/lib/limit/limit-request';
import { runLimited } from '@/lib/purchase/testing/run-limited';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { eventually } from '@/test/support/eventually';
import { makeSale } from '@/test/support/make-sale';
import { handTrace, solve } from '@/test/support/solve-challenge';
import { offerChallenge } from './offer-challenge';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const KINDS = ['pow', 'slider', 'arithmetic'] as const;

/** One sale of each kind. Every test has its own shoppers, so the tests may share the sales. */
const saleOf = {} as Record<(typeof KINDS)[number], string>;
beforeAll(async () => {
  for (const kind of KINDS) saleOf[kind] = (await makeSale({ challenge: kind })).sale.saleId;
});

/** A new shopper for each test, because the number of challenges per shopper is limited. */
const newShopper = () => ({ userId: newId('user'), level: 0, address: null });

async function offer(saleId: string, user: Requester, wanted?: ChallengeKind): Promise<OfferedChallenge> {
  const offered = await offerChallenge(saleId, user, createTask, wanted);
  if (offered.status !== 'offered') throw new Error(offered.status);
  return offered.challenge;
}

async function readSecret(saleId: string, { userId }: { userId: string }, challengeId: string) {
  const kept = await cacheRedis().get(keys.challenge({ saleId, userId }, challengeId));
  if (kept === null) throw new Error('the challenge is not there');
  return JSON.parse(kept) as ChallengeSecret;
}

/** Gets a challenge and its right answer. */
async function offerSolved(saleId: string, user: Requester, wanted?: ChallengeKind) {
  const challenge = await offer(saleId, user, wanted);
  const { challengeId } = challenge;
  const secret = await readSecret(saleId, user, challengeId);
  return { challengeId, answer: await solve(challenge, secret) };
}

describe.each(KINDS)('a sale that wants a challenge: %s', (kind) => {
  it('[G4 G5] lets in who solved it, once; without an answer nobody', async () => {
    const [saleId, shopper] = [saleOf[kind], newShopper()];
    expect(await issueEntry(saleId, shopper)).toEqual({ status: 'challenge_required', kind });
    const solved = await offerSolved(saleId, shopper);
    expect(await issueEntry(saleId, shopper, { answer: solved })).toMatchObject({ status: 'entered' });
    expect(await issueEntry(saleId, shopper, { answer: solved })).toEqual({
      status: 'challenge_failed',
      kind,
    });
  });

  it('[G4 G5] a wrong answer uses it up', async () => {
    const [saleId, shopper] = [saleOf[kind], newShopper()];
    const { challengeId, answer } = await offerSolved(saleId, shopper);
    const wrong = { challengeId, answer: 'no' };
    expect(await issueEntry(saleId, shopper, { answer: wrong })).toEqual({
      status: 'challenge_failed',
      kind,
    });
    const late = { challengeId, answer };
    expect(await issueEntry(saleId, shopper, { answer: late })).toEqual({ status: 'challenge_failed', kind });
  });

  it("[G4 G5] is nobody else's and no other sale's, and trying so takes nothing from its owner", async () => {
    const [saleId, other] = [saleOf[kind], saleOf[kind === 'pow' ? 'slider' : 'pow']];
    const [shopper, thief] = [newShopper(), newShopper()];
    const solved = await offerSolved(saleId, shopper);
    expect(await issueEntry(saleId, thief, { answer: solved })).toEqual({ status: 'challenge_failed', kind });
    expect(await issueEntry(other, shopper, { answer: solved })).toMatchObject({
      status: 'challenge_failed',
    });
    const altered = { ...solved, challengeId: `${solved.challengeId.slice(0, -1)}_` };
    expect(await issueEntry(saleId, shopper, { answer: altered })).toEqual({
      status: 'challenge_failed',
      kind,
    });
    expect(await issueEntry(saleId, shopper, { answer: solved })).toMatchObject({ status: 'entered' });
  });

  it('[G4 G5] runs out', async () => {
    const [saleId, shopper] = [saleOf[kind], newShopper()];
    const solved = await offerSolved(saleId, shopper);
    const key = keys.challenge({ saleId, ...shopper }, solved.challengeId);
    const leftMs = await cacheRedis().pttl(key);
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(LIFETIME_MS);
    await cacheRedis().pexpire(key, 1);
    await eventually(async () => expect(await cacheRedis().exists(key)).toBe(0));
    expect(await issueEntry(saleId, shopper, { answer: solved })).toEqual({
      status: 'challenge_failed',
      kind,
    });
  });
});

describe.each(['slider', 'arithmetic'] as const)('whoever cannot do the puzzle: %s', (challenge) => {
  const others = PUZZLES.filter((puzzle) => puzzle !== challenge);

  it('[G4 G5] may do another one, and is told which', async () => {
    const [saleId, shopper] = [saleOf[challenge], newShopper()];
    expect((await offer(saleId, shopper)).alternatives).toEqual(others);
    for (const other of others) {
      const offered = await offer(saleId, shopper, other);
      expect(offered.kind).toBe(other);
      expect([...offered.alternatives].sort()).toEqual(PUZZLES.filter((one) => one !== other).sort());
      const solved = await offerSolved(saleId, shopper, other);
      expect(await issueEntry(saleId, shopper, { answer: solved })).toMatchObject({ status: 'entered' });
    }
  });

  it('[G4 G5] gets the calculation only where the sale allows it', async () => {
    const [saleId, shopper] = [saleOf[challenge], newShopper()];
    const kinds = [challenge, ...others];
    expect(await offerChallenge(saleId, shopper, createTask, 'pow')).toEqual({
      status: 'not_offered',
      kinds,
    });
    const { sale } = await makeSale({ challenge, challengeAlternative: 'calculation' });
    expect((await offer(sale.saleId, shopper)).alternatives).toEqual([...others, 'pow']);
    const solved = await offerSolved(sale.saleId, shopper, 'pow');
    expect(solved.answer).toContain('derivedKey');
    expect(await issueEntry(sale.saleId, shopper, { answer: solved })).toMatchObject({ status: 'entered' });
  });
});

describe('a sale without a puzzle', () => {
  it('[G4 G5] offers none, whatever it says about them', async () => {
    const shopper = newShopper();
    for (const challengeAlternative of ['puzzle', 'calculation']) {
      const { sale } = await makeSale({ challenge: 'pow', challengeAlternative });
      expect((await offer(sale.saleId, shopper)).alternatives).toEqual([]);
      expect(await offerChallenge(sale.saleId, shopper, createTask, 'sound')).toEqual({
        status: 'not_offered',
        kinds: ['pow'],
      });
    }
    const { sale } = await makeSale({ challengeAlternative: 'calculation' });
    for (const wanted of [undefined, ...CHALLENGE_KINDS])
      expect(await offerChallenge(sale.saleId, shopper, createTask, wanted)).toEqual({
        status: 'not_needed',
      });
  });
});

describe('[G4] one solution, ten thousand times at once', () => {
  it('is accepted exactly once', async () => {
    const shopper = newShopper();
    const solved = await offerSolved(saleOf.pow, shopper);
    const counts = new Map<string, number>();
    // A thousand are in flight at any moment. More would wait for this process, not for Redis.
    const replay = () => issueEntry(saleOf.pow, shopper, { answer: solved });
    for (const { status } of await runLimited<{ status: string }>(Array(10_000).fill(replay), 1_000)) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ entered: 1, challenge_failed: 9_999 });
  });
});

describe('[G4 G5] what the shopper is given', () => {
  const fieldsOf = async (kind: ChallengeKind) => {
    const [saleId, shopper] = [saleOf[kind === 'sound' ? 'slider' : kind], newShopper()];
    const { alternatives: _, ...challenge } = await offer(saleId, shopper, kind);
    const secret = await readSecret(saleId, shopper, challenge.challengeId);
    return { challenge, secret, fields: Object.keys(challenge).sort() };
  };

  it('is a sound and nothing else: beeps', async () => {
    const { challenge, fields } = await fieldsOf('sound');
    expect(fields).toEqual(['challengeId', 'expiresAt', 'groups', 'kind', 'sound']);
    expect(challenge).toMatchObject({
      groups: 3,
      sound: expect.stringMatching(/^data:audio\/wav;base64,UklGR/),
    });
  });

  it('is a picture and nothing else: arithmetic', async () => {
    const { challenge, fields } = await fieldsOf('arithmetic');
    expect(fields).toEqual(['challengeId', 'expiresAt', 'height', 'image', 'kind', 'width']);
    expect(challenge).toMatchObject({ image: expect.stringMatching(/^data:image\/png;base64,iVBOR/) });
  });

  it('is two pictures and where the piece starts: slider', async () => {
    const { challenge, fields } = await fieldsOf('slider');
    const sizes = ['height', 'maxX', 'pieceSize', 'pieceY', 'stepX', 'width'];
    expect(fields).toEqual(['challengeId', 'expiresAt', 'image', 'kind', 'piece', ...sizes].sort());
    // The sizes are the same whatever the answer. Only the pictures and the height of the piece differ.
    const { width, height, maxX, pieceSize, stepX } = challenge as Extract<Challenge, { kind: 'slider' }>;
    expect({ width, height, maxX, pieceSize, stepX }).toEqual({
      width: 320,
      height: 160,
      maxX: 256,
      pieceSize: 64,
      stepX: 2,
    });
  });

  it('is half of the key looked for: calculation', async () => {
    const { challenge, secret } = await fieldsOf('pow');
    if (secret.kind !== 'pow' || challenge.kind !== 'pow') throw new Error('not a calculation');
    const { derivedKey, counter } = JSON.parse(await solve(challenge, secret));
    const said = JSON.stringify(challenge);
    expect(said).not.toContain(derivedKey);
    expect(said).not.toContain(derivedKey.slice(32));
    expect(secret.derivedKey).toBe(derivedKey);
    expect(Object.values(challenge)).not.toContain(counter);
    expect(challenge.maxTries).toBeGreaterThan(counter);
  });
});

describe('[G4 G5] answers nobody could mean', () => {
  const answers = ['', 'null', '{}', '[]', '{"x":', '9'.repeat(2_000), '['.repeat(2_000), '{"__proto__":1}'];
  it.each(KINDS)('are wrong, whatever they are: %s', async (kind) => {
    const [saleId, shopper] = [saleOf[kind], newShopper()];
    for (const answer of answers) {
      const { challengeId } = await offer(saleId, shopper);
      const entry = await issueEntry(saleId, shopper, { answer: { challengeId, answer } });
      expect(entry, answer.slice(0, 20)).toEqual({ status: 'challenge_failed', kind });
    }
    for (const challengeId of [
      '',
      '*',
      'chal_',
      `chal_${'0'.repeat(26)}`,
      'x'.repeat(200),
      'count:{x}',
      '\r\n',
    ]) {
      const entry = await issueEntry(saleId, shopper, { answer: { challengeId, answer: '1' } });
      expect(entry, challengeId).toEqual({ status: 'challenge_failed', kind });
    }
  });
});

describe('challenges', () => {
  it('[G4] are given from when entry opens to the end, and only by sales that want one', async () => {
    const shopper = newShopper();
    const startsAt = Date.now() + 3_600_000;
    const [early, ended, closed, free] = [
      await makeSale({ challenge: 'pow', startsAt, endsAt: startsAt + 1_000 }),
      await makeSale({ challenge: 'pow', startsAt: 1_000, endsAt: 2_000 }),
      await makeSale({ challenge: 'pow' }),
      await makeSale(),
    ];
    await closeSale(closed.merchant, closed.sale.saleId);
    const ask = ({ sale }: { sale: { saleId: string } }) => offerChallenge(sale.saleId, shopper, createTask);
    expect(await ask(early)).toEqual({ status: 'not_open', entryOpensAt: startsAt - 600_000 });
    expect(await ask(ended)).toEqual({ status: 'ended' });
    expect(await ask(closed)).toEqual({ status: 'ended' });
    expect(await ask(free)).toEqual({ status: 'not_needed' });
    expect(await ask({ sale: { saleId: 'nope' } })).toEqual({ status: 'sale_not_found' });
    // An answer to a challenge that was never asked for does no harm.
    const entry = await issueEntry(free.sale.saleId, shopper, { answer: { challengeId: 'x', answer: 'y' } });
    expect(entry).toMatchObject({ status: 'entered' });
  });

  it('[G4] are not asked of members who may not buy anyway', async () => {
    const { sale } = await makeSale({ challenge: 'slider', minLevel: 3 });
    const entry = await issueEntry(sale.saleId, newShopper());
    expect(entry).toEqual({ status: 'level_too_low', minLevel: 3 });
  });

  it('[G4] are bounded for each user, over all sales; others are not held up', async () => {
    const shopper = newShopper();
    const sales = [saleOf.pow, saleOf.arithmetic];
    const asked = Array.from({ length: 30 }, (_, at) =>
      offerChallenge(sales[at % 2] ?? '', shopper, createTask),
    );
    const results = await Promise.all(asked);
    expect(results.filter(({ status }) => status === 'offered')).toHaveLength(MAX_PER_MINUTE);
    const refused = results.filter((result) => result.status === 'too_many');
    expect(refused).toHaveLength(30 - MAX_PER_MINUTE);
    for (const { retryAfterMs } of refused) {
      expect(retryAfterMs).toBeGreaterThan(0);
      expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    }
    expect(await offerChallenge(saleOf.pow, newShopper(), createTask)).toMatchObject({ status: 'offered' });
  });

  it('[G5] a right place that no hand moved to is refused', async () => {
    const [saleId, shopper] = [saleOf.slider, newShopper()];
    for (const trace of [[], [[0, 0]], handTrace(1)]) {
      const { challengeId } = await offer(saleId, shopper);
      const secret = await readSecret(saleId, shopper, challengeId);
      if (secret.kind !== 'slider') throw new Error(secret.kind);
      const answer = JSON.stringify({ x: secret.x, trace });
      const entry = await issueEntry(saleId, shopper, { answer: { challengeId, answer } });
      expect(entry).toEqual({ status: 'challenge_failed', kind: 'slider' });
    }
  });

  it('[G4] cannot be gone round while Redis is down: neither a challenge nor entry', async () => {
    const [saleId, { sale: free }, shopper] = [saleOf.arithmetic, await makeSale(), newShopper()];
    const solved = await offerSolved(saleId, shopper);
    const unreachable = 'redis://127.0.0.1:1/0';
    await closeRedis();
    vi.stubEnv('REDIS_URL', unreachable);
    vi.resetModules();
    const [entry, offering] = [
      await import('@/lib/admission/issue-entry'),
      await import('./offer-challenge'),
    ];
    const reasonOf = (work: Promise<unknown>) => work.then(JSON.stringify, (reason: unknown) => reason);
    expect(isOutage(await reasonOf(entry.issueEntry(saleId, shopper, { answer: solved })))).toBe(true);
    expect(isOutage(await reasonOf(offering.offerChallenge(saleId, shopper, createTask)))).toBe(true);
    expect(await entry.issueEntry(free.saleId, shopper)).toMatchObject({ status: 'entered' });
    await (await import('@/lib/redis/client')).closeRedis();
    vi.unstubAllEnvs();
  });
});
