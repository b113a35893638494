/**
 * The time in which people answer an awaited signal. In a laboratory 1,469 people took 231 ms on average (Woods et al.
 * 2015, doi 10.3389/fnhum.2015.00131); screens and mice at home add to that. A lognormal fits such skewed times (Ulrich
 * and Miller 1993). With these numbers one in twenty takes up to 140 ms, 19 in twenty up to 445.
 */
const READY = { medianMs: 250, sigma: 0.35 };
/**
 * Shoppers who look away at the start, first have to find the tab, or think it over. The numbers are an assumption:
 * nobody has measured this.
 */
const DISTRACTED = { medianMs: 1_500, sigma: 0.6, share: 0.3 };
/** A script sends a request this often; its first request after the start is its press. */
const SCRIPT_EVERY_MS = 20;
/** A shopper who comes later than this does not make the crowd any worse. */
const LAST_MS = 5_000;

/**
 * Draws how long after the start a shopper presses the button.
 * @param random from 0, below 1 @returns whole ms, at most 5,000
 */
export function drawArrival(isScript: boolean, random: () => number): number {
  if (isScript) return Math.floor(random() * SCRIPT_EVERY_MS);
  const { medianMs, sigma } = random() < DISTRACTED.share ? DISTRACTED : READY;
  return Math.min(LAST_MS, Math.round(medianMs * Math.exp(sigma * drawNormal(random))));
}

/** Draws a standard normal variate, by Box and Muller (1958). */
const drawNormal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
