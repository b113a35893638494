/**
 * How fast people answer a signal they are waiting for: 231 ms on average, 1,469 people in a laboratory (Woods et al. 2015,
 * doi 10.3389/fnhum.2015.00131); screens and mice at home add to that. Reaction times are skewed to the right, and a
 * lognormal fits them about as well as anything (Ulrich and Miller 1993). These here: one in twenty within 140 ms, 19 within 445.
 */
const READY = { medianMs: 250, sigma: 0.35 };
/** Who looks away when it starts, finds the tab first, or thinks it over. An assumption: nobody has measured it. */
const DISTRACTED = { medianMs: 1_500, sigma: 0.6, share: 0.3 };
/** A script asks again and again, so often; the first of its questions after the start is its press. */
const SCRIPT_EVERY_MS = 20;
/** Whoever comes later than this does not make the crowd any worse. */
const LAST_MS = 5_000;

/**
 * How long after the start somebody presses the button.
 * @param random from 0, below 1 @returns whole ms, at most 5,000
 */
export function drawArrival(isScript: boolean, random: () => number): number {
  if (isScript) return Math.floor(random() * SCRIPT_EVERY_MS);
  const { medianMs, sigma } = random() < DISTRACTED.share ? DISTRACTED : READY;
  return Math.min(LAST_MS, Math.round(medianMs * Math.exp(sigma * drawNormal(random))));
}

/** A standard normal variate, by Box and Muller (1958). */
const drawNormal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
