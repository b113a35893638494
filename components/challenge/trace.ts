/** When and where the piece was: ms since it was first touched, and its place. */
export type TracePoint = [t: number, x: number];

/** As many as the shop takes. */
const MAX_POINTS = 100;

/** No more than the shop takes of a movement, from all of its length, its ends included. */
export function thin(points: readonly TracePoint[]): readonly TracePoint[] {
  if (points.length <= MAX_POINTS) return points;
  return Array.from({ length: MAX_POINTS }, (_, at) => {
    const point = points[Math.round((at * (points.length - 1)) / (MAX_POINTS - 1))];
    return point as TracePoint;
  });
}

/** Where a key moves the piece to; null for keys that don't. A page is a tenth of the way. */
export function keyTarget(key: string, x: number, maxX: number, stepX: number): number | null {
  const page = Math.round(maxX / 10);
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return x + stepX;
    case 'ArrowLeft':
    case 'ArrowDown':
      return x - stepX;
    case 'PageUp':
      return x + page;
    case 'PageDown':
      return x - page;
    case 'Home':
      return 0;
    case 'End':
      return maxX;
    default:
      return null;
  }
}
