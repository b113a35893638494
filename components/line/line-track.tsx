'use client';

/** How many dots stand between the shopper and the door. */
const DOTS = 9;

/**
 * Draws the line: the door to the left, the shopper as the last dot. The nearer, the fewer dots; they move on gently, and
 * not at all for people who asked for less motion. For the eye only: the words beside it say the same.
 * @param ahead how many people are in front
 */
export function LineTrack({ ahead, isMoving }: { ahead: number; isMoving: boolean }) {
  const shown = ahead === 0 ? 0 : Math.min(DOTS, Math.ceil(Math.log2(ahead + 1)));
  return (
    <div aria-hidden="true" className="flex h-10 items-center gap-2 overflow-hidden">
      <span className="h-9 w-6 shrink-0 rounded-t-full border-2 border-accent border-b-0 bg-sunken" />
      <span className="h-px flex-none basis-2 bg-line" />
      <div className="flex min-w-0 flex-1 items-center justify-between">
        {Array.from({ length: DOTS }, (_, at) => at).map((at) => (
          <span
            key={at}
            className={`size-3 rounded-full transition-all duration-700 motion-reduce:transition-none ${
              at < shown ? 'bg-muted' : 'scale-50 bg-line opacity-60'
            } ${isMoving && at < shown ? 'line-step' : ''}`}
            style={{ animationDelay: `${at * 120}ms` }}
          />
        ))}
      </div>
      <span className="size-5 shrink-0 rounded-full border-4 border-accent bg-panel" />
    </div>
  );
}
