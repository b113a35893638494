'use client';

import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { keyTarget, type TracePoint, thin } from './trace';

/** Lets the shopper push a piece with pointer or finger, from where it is (it never jumps), or with keys. */
export function useSlide({ maxX, stepX }: { maxX: number; stepX: number }) {
  const [x, setX] = useState(0);
  const points = useRef<TracePoint[]>([]);
  const firstAt = useRef(0);
  const grip = useRef<{ pointerId: number; fromX: number; fromClientX: number; travel: number } | null>(null);

  const touch = () => {
    if (points.current.length > 0) return;
    firstAt.current = performance.now();
    points.current.push([0, x]);
  };
  const moveTo = (target: number) => {
    const next = Math.round(Math.min(maxX, Math.max(0, target)));
    if (next === points.current.at(-1)?.[1]) return;
    points.current.push([Math.round(performance.now() - firstAt.current), next]);
    setX(next);
  };

  const pointer = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const { currentTarget: held, pointerId, clientX } = event;
      const travel = (held.parentElement?.clientWidth ?? 0) - held.offsetWidth;
      if (event.button !== 0 || travel <= 0) return;
      held.setPointerCapture(pointerId);
      touch();
      grip.current = { pointerId, fromX: x, fromClientX: clientX, travel };
    },
    onPointerMove: ({ pointerId, clientX }: PointerEvent) => {
      const held = grip.current;
      if (held?.pointerId !== pointerId) return;
      moveTo(held.fromX + ((clientX - held.fromClientX) * maxX) / held.travel);
    },
    onPointerUp: () => {
      grip.current = null;
    },
    onPointerCancel: () => {
      grip.current = null;
    },
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = keyTarget(event.key, x, maxX, stepX);
    if (target === null) return;
    event.preventDefault();
    touch();
    moveTo(target);
  };

  return { x, pointer, onKeyDown, readTrace: () => thin(points.current) };
}
