import 'server-only';
import { log } from '@/lib/http/log';
import { isOn } from '@/lib/switchboard/is-on';
import { actOnHits } from './act-on-hits';
import { countNote } from './count-note';
import { type Noted, putBack, takeNoted } from './noted';
import { keepOrigins } from './origins';
import { stopWatchingRisk, watchRisk } from './watch-risk';
import { withoutReleased } from './without-released';

const EVERY_MS = 250;
/** An evaluation that takes longer than this is logged. No request ever waits for one. */
const SLOW_MS = 50;
/** How many counters are asked for at once. */
const AT_ONCE = 500;

type Evaluation = { timer: NodeJS.Timeout; running: Promise<void> | null; isFailing: boolean };

/** One process evaluates once: only our bundles hold this module, Next's routes note in `lib/risk/noted.ts`. */
let current: Evaluation | undefined;

/**
 * Starts to evaluate the risk rules on what this process has noted, four times a second, beside the requests and
 * without delaying them. While Redis or Postgres is away, keeps everything noted and evaluates it afterwards.
 */
export async function startRisk(): Promise<void> {
  current ??= start();
  await watchRisk();
}

function start(): Evaluation {
  const timer = setInterval(() => void run(evaluation), EVERY_MS).unref();
  const evaluation: Evaluation = { timer, running: null, isFailing: false };
  return evaluation;
}

/** Stops what `startRisk` began, after a last evaluation. */
export async function stopRisk(): Promise<void> {
  clearInterval(current?.timer);
  await evaluateNow();
  current = undefined;
  stopWatchingRisk();
}

/**
 * Evaluates everything that was noted before this call. One evaluation at a time: waits for the one under way, which may
 * have begun before the latest notes. Never fails.
 */
export async function evaluateNow(): Promise<void> {
  const evaluation = current;
  if (!evaluation) return;
  await evaluation.running;
  await run(evaluation);
}

/** Runs one evaluation, or joins the one under way. Never fails. */
function run(evaluation: Evaluation): Promise<void> {
  evaluation.running ??= evaluateAll(evaluation).finally(() => {
    evaluation.running = null;
  });
  return evaluation.running;
}

async function evaluateAll(evaluation: Evaluation): Promise<void> {
  const noted = takeNoted();
  // Events noted just before the rules were switched off are dropped as well.
  if ((noted.notes.size === 0 && noted.origins.length === 0) || !isOn('risk')) return;
  const from = performance.now();
  try {
    await evaluateRisk(noted);
    const tookMs = Math.round(performance.now() - from);
    if (evaluation.isFailing || noted.lost > 0)
      log.warn({ counters: noted.notes.size, lost: noted.lost }, 'risk evaluated afterwards');
    else if (tookMs > SLOW_MS) log.info({ tookMs, counters: noted.notes.size }, 'risk evaluation was slow');
    evaluation.isFailing = false;
  } catch (err) {
    if (!evaluation.isFailing)
      log.warn({ err, counters: noted.notes.size }, 'risk could not be evaluated; it will be afterwards');
    evaluation.isFailing = true;
    putBack(noted);
  }
}

/**
 * Counts the notes and acts on the subjects that the rules hit. Removes finished notes from `noted`.
 * @throws connection errors; notes counted by then may count twice in the next evaluation: a rule may hit early then,
 *   never late.
 */
async function evaluateRisk({ notes, origins }: Noted): Promise<void> {
  for (let at = 0; at < origins.length; at += AT_ONCE) await keepOrigins(origins.slice(at, at + AT_ONCE));
  origins.length = 0;
  const all = [...notes];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    const hits = await Promise.all(some.map(([, note]) => countNote(note)));
    await actOnHits(await withoutReleased(hits.flat()));
    for (const [key] of some) notes.delete(key);
  }
}
