import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { LIMIT_ALGORITHMS } from '@/lib/contract/words/limit';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { formatLimits, LIMIT_SCOPES } from '@/lib/redis/limit-policy';
import { readScript } from '@/lib/redis/run-script';
import { type LimitState, take } from './algorithms';
import { type Counts, countAttempt } from './count-attempt';
import { attempts, saleLimits } from './testing/attempts';

afterAll(closeRedis);

/** Runs the scripts' own parts, but with the time as an argument: a whole history in one call. */
const REPLAY = `
${LIMIT_ALGORITHMS.map((algorithm) => readScript(`parts/${algorithm}`)).join('\n')}
${readScript('parts/limit-state')}
local take = {f = fixedWindow, s = slidingWindow, t = tokenBucket, l = leakyBucket}
local text, out = nil, {}
local function letterOf(text) return string.sub(text, 1, 1) end
for at = 1, #ARGV, 4 do
  local letter = ARGV[at]
  local s = readState(text, letter)
  local _, waitMs = take[letter](s, tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), 1)
  if waitMs == 0 then text = stateText(s, letter) end
  out[#out + 1] = waitMs .. ' ' .. (text and letterOf(text) .. table.concat(readState(text, letterOf(text)), ' ') or '')
end
return out`;

/**
 * Does the same for whole attempts, each counted by the limits of user, interface, address and device. An empty name is not
 * counted.
 */
const REPLAY_ATTEMPTS = `
${readScript('parts/count-attempt')}
local policies, found, out, counts = readPolicies(ARGV[1]), {}, {}, nil
local function nameAt(at) return ARGV[at] ~= '' and ARGV[at] end
for at = 2, #ARGV, 5 do
  local now = tonumber(ARGV[at])
  if not counts or now ~= counts.now then
    -- As one call ends and the next begins.
    if counts then
      settleAll(counts)
      for name, policy in pairs(counts.counted) do found[name] = stateText(counts.states[name], policy.letter) end
    end
    counts = startCounts(policies, now, found)
  end
  local names = {nameAt(at + 1), nameAt(at + 2), nameAt(at + 3), nameAt(at + 4)}
  out[#out + 1] = countAttempt(counts, names) or 'admitted'
end
return out`;

const START = 1_700_000_000_123;

const policy = fc.record({
  algorithm: fc.constantFrom(...LIMIT_ALGORITHMS),
  limit: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 28, max: 60 }), fc.constant(1_000_000)),
  windowMs: fc.oneof(
    fc.integer({ min: 1, max: 86_400 }).map((sec) => sec * 1000),
    fc.constant(2000),
  ),
});
/**
 * The time between two calls. The clock may go back a little, or move on by the wait the last refusal named, or by
 * almost that.
 */
const gap = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: -20, max: 800 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 200_000_000 }) },
  { weight: 2, arbitrary: fc.constantFrom('as told' as const, 'almost' as const) },
);
/** Phases with one policy each: a merchant changes it while the sale runs. */
const phases = fc.array(fc.record({ policy, gaps: fc.array(gap, { minLength: 1, maxLength: 60 }) }), {
  minLength: 1,
  maxLength: 4,
});

it('[G7 G14] Redis and a process on its own count the same, call by call, also when the limit changes', async () => {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(phases, async (history) => {
      const expected: string[] = [];
      const args: (string | number)[] = [];
      let [now, toldMs] = [START, 0];
      let [letter, state]: [string, LimitState] = ['', []];
      for (const { policy, gaps } of history) {
        const { algorithm, limit, windowMs } = policy;
        for (const gap of gaps) {
          now += typeof gap === 'number' ? gap : toldMs - (gap === 'almost' ? 1 : 0);
          const own = algorithm[0] as string;
          const s = letter === own ? [...state] : [];
          const waitMs = take[algorithm](s, limit, windowMs, now);
          if (waitMs === 0) [letter, state] = [own, s];
          else refusals += 1;
          toldMs = waitMs;
          expected.push(`${waitMs} ${letter}${state.join(' ')}`);
          args.push(own, limit, windowMs, now);
        }
      }
      expect(await stockRedis().eval(REPLAY, 0, ...args)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
  expect(refusals).toBeGreaterThan(0);
});

it('[G1 G2 G3 G14 G15] Redis and a process on its own count the same attempts, and refuse the others by the same limit', async () => {
  const met = new Set<string | undefined>();
  await fc.assert(
    fc.asyncProperty(saleLimits, attempts, async (limits, history) => {
      const counts: Counts = new Map();
      let now = START;
      const args: (string | number)[] = [formatLimits(limits)];
      const expected = history.map(({ attempt, gapMs }) => {
        now += gapMs;
        args.push(now, ...LIMIT_SCOPES.map((scope) => attempt[scope] ?? ''));
        const limited = countAttempt(counts, limits, attempt, now);
        met.add(limited?.scope);
        if (!limited) return 'admitted';
        const { scope, limit, windowMs, waitMs } = limited;
        return ['rate_limited', scope, limit, windowMs, waitMs].join(' ');
      });
      expect(await stockRedis().eval(REPLAY_ATTEMPTS, 0, ...args)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
  expect(met).toEqual(new Set([undefined, ...LIMIT_SCOPES]));
});
