/** When and where the piece was: ms since the first touch, and its position. */
export type TracePoint = [t: number, x: number];

/** The most points the shop accepts. */
const MAX_POINTS = 100;

/** Thins a movement to as many points as the shop accepts, spread over its whole length and including both ends. */
export function thin(points: readonly TracePoint[]): readonly TracePoint[] {
  if (points.length <= MAX_POINTS) return points;
  return Array.from({ length: MAX_POINTS }, (_, at) => {
    const point = points[Math.round((at * (points.length - 1)) / (MAX_POINTS - 1))];
    return point as TracePoint;
  });
}

/** Returns where a key moves the piece to; null for other keys. A page key moves it a tenth of the way. */
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
