import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { createRandom, type Random } from '@/tools/harness/random';
import { FAULTS, type Fault, underFault } from './faults';
import { LIFE, type Step, type Steps } from './life';
import { Pauses } from './pauses';
import { comeToRest, expectTrue, type Tend } from './rest';
import type { World } from './world';

/** One kind of sale: how it begins, and which steps it has besides the life of an order. */
export type Subject = {
  name: string;
  open(random: Random): Promise<World>;
  steps: Steps;
  /** Steps of the life of an order that it does not have. */
  without?: readonly string[];
  /** More work of this kind's workers, once the faults have ended. */
  tend?: Tend;
  /** Looks at what is promised of this kind alone, once all is at rest. */
  check?(world: World): Promise<unknown>;
};

const STEPS = { from: 30, to: 90 };
/** Most steps send a few commands, some of them dozens. */
const COMMANDS = { few: 12, many: 40 };
/** Most steps that are drawn find nothing to do. */
const TRIES = 6;
const MOST_STEPS_AWAY = 6;

/** The reconciliation alone puts right in Redis a merchant's change that broke off. */
const RECONCILED = ['reconcile', 'restock', 'pause', 'resume', 'move the end'];

type Trail = { name: string; came: unknown }[];

/**
 * Lives through a random history of a sale, then ends all faults, lets everything come to rest, and expects every
 * promise to be kept.
 * @throws Error with the seed, what happened, and what was broken
 */
export async function liveThrough(subject: Subject, seed: number): Promise<void> {
  const random = createRandom(seed).fork(subject.name);
  const trail: Trail = [];
  try {
    const world = await subject.open(random.fork('sale'));
    const mixture = mix(subject, random.fork('mixture'));
    world.isRedisWrong = mixture.isRedisWrong;
    await happen(world, mixture, random, trail);
    await comeToRest(world, subject.tend);
    await subject.check?.(world);
    await comeToRest(world, subject.tend);
    await expectTrue(world);
    await retire(world);
  } catch (cause) {
    const told = trail.map(({ name, came }) => `${name}: ${came}`).join('\n');
    const says = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`TEST_SEED=${seed} TEST_HISTORIES=1 lives through it again\n${told}\n${says}`, { cause });
  }
}

/** The possible events of one history. Each has a mixture of its own, so that rare things meet more often. */
type Mixture = {
  steps: Record<string, Step>;
  weights: Record<string, number>;
  faults: readonly Fault['kind'][];
  isRedisWrong: boolean;
};

function mix({ steps: own, without = [] }: Subject, random: Random): Mixture {
  // A purchase leaves nothing behind if Redis and the process that answered it are lost together.
  const isRedisLost = random.chance(0.4);
  const faults = random.chance(0.2) ? [] : FAULTS.filter(() => random.chance(0.5));
  const isRedisWrong = isRedisLost || faults.includes('breaks');
  const absent = new Set([
    ...without,
    isRedisLost ? 'start anew' : 'lose Redis',
    // Nothing may depend on this net, except what was lost and what comes late.
    ...(isRedisWrong ? [] : RECONCILED),
  ]);
  const chosen = Object.entries({ ...LIFE, ...own }).filter(
    ([name]) => !absent.has(name) && (name in own || random.chance(0.85)),
  );
  return {
    steps: Object.fromEntries(chosen.map(([name, [, step]]) => [name, step])),
    weights: Object.fromEntries(chosen.map(([name, [weight]]) => [name, weight])),
    faults,
    isRedisWrong,
  };
}

/** Takes the steps of a history, one after the other; one that stands still ends after some of those that follow. */
async function happen(world: World, mixture: Mixture, random: Random, trail: Trail): Promise<void> {
  const pauses = new Pauses();
  const failures: unknown[] = [];
  const count = random.int(STEPS.from, STEPS.to);
  for (let nth = 0; nth < TRIES * count && trail.length < count && failures.length === 0; nth += 1) {
    await pauses.goOn(nth);
    const own = random.fork(`step ${nth}`);
    const name = own.weighted(mixture.weights);
    const fault = drawFault(own, mixture.faults);
    const until = nth + own.int(1, MOST_STEPS_AWAY);
    const entry: Trail[number] = {
      name: `${nth} ${name}${fault ? `, ${fault.kind} at ${fault.at}` : ''}`,
      came: '…',
    };
    trail.push(entry);
    let stands = () => {};
    const standing = new Promise<void>((resolve) => {
      stands = resolve;
    });
    const stand = () =>
      new Promise<void>((resolve) => {
        pauses.add({
          until,
          goOn: () => {
            resolve();
            return done;
          },
        });
        stands();
      });
    const later = (send: () => Promise<unknown>) =>
      pauses.add({ until, goOn: () => send().catch(() => null) });
    const done = underFault(fault, { stand, later }, async () => mixture.steps[name]?.(world, own)).then(
      (came) => {
        if (came === null) trail.splice(trail.indexOf(entry), 1);
        entry.came = came ?? 'done';
      },
      (error: unknown) => {
        entry.came = error;
        if (!isOutage(error)) failures.push(error);
      },
    );
    await pauses.waitFor(Promise.race([done, standing]));
  }
  await pauses.goOn();
  if (failures.length > 0) throw failures[0];
}

function drawFault(random: Random, kinds: readonly Fault['kind'][]): Fault | null {
  if (kinds.length === 0 || !random.chance(0.5)) return null;
  return { kind: random.pick(kinds), at: random.int(1, random.chance(0.85) ? COMMANDS.few : COMMANDS.many) };
}

/** Lets the sales be long over: no worker looks after them any more while the next history runs. */
async function retire({ sales }: World): Promise<void> {
  await db().$executeRaw`
    UPDATE sales SET entry_opens_at = entry_opens_at - interval '3 days', starts_at = starts_at - interval '3 days',
                     ends_at = ends_at - interval '3 days', reservation_opens_at = reservation_opens_at - interval '3 days',
                     reservation_closes_at = reservation_closes_at - interval '3 days'
    WHERE id = ANY (${sales.map(({ saleId }) => saleId)}::text[])`;
}
