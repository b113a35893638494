/** Returns the middle value, or the mean of the two middle ones. @throws RangeError on an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new RangeError('no median of an empty list');
  return (lower + upper) / 2;
}

/**
 * Returns the smallest value that at least `percent` % of all values do not exceed (nearest rank).
 * @param percent above 0, at most 100. @throws RangeError on an empty list or another percentage.
 */
export function percentile(values: readonly number[] | Float64Array, percent: number): number {
  if (!(percent > 0 && percent <= 100)) throw new RangeError(`not a percentage: ${percent}`);
  const sorted = Float64Array.from(values).sort();
  const value = sorted[Math.ceil((percent / 100) * sorted.length) - 1];
  if (value === undefined) throw new RangeError('no percentile of nothing');
  return value;
}

/** Divides the median of the first by the median of the second. @throws RangeError when the second is not above zero. */
export function ratioOfMedians(ours: readonly number[], theirs: readonly number[]): number {
  const divisor = median(theirs);
  if (!(divisor > 0)) throw new RangeError(`nothing can be compared with ${divisor}`);
  return median(ours) / divisor;
}

/** Returns how far apart the rounds of one contestant lie: (largest − smallest) / median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}
