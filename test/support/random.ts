import fc from 'fast-check';

const FIXED = 20_261_127;

/**
 * The seed of every random test: the same in each run, so that the gate says the same everywhere. `TEST_SEED` names
 * another one, and replays a failure; `TEST_SEED=random` takes one that nobody chose. fast-check prints it with a failure.
 */
export const SEED =
  process.env.TEST_SEED === 'random'
    ? Math.floor(Math.random() * 2 ** 31)
    : Number(process.env.TEST_SEED ?? FIXED);

/**
 * True if a test also demands that its histories came across everything they are meant for. One run of a few dozen may
 * miss the rarest: `TEST_COVERAGE=1` asks for it, with many seeds.
 */
export const demandsCoverage = process.env.TEST_COVERAGE === '1';

/**
 * How many cases a random test tries: these in the gate, which must stay short; `test:all` sets `TEST_CASES` and tries as many
 * times more. With the same value a failure is replayed.
 */
export const cases = (inGate: number): number => inGate * Number(process.env.TEST_CASES ?? 1);

/** Lets every property of this process begin with the seed. The setups of all tests call it. */
export function seedProperties(): void {
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
}
