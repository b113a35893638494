'use client';

import { useLocale, useTranslations } from 'next-intl';
import { type FormEvent, useRef } from 'react';
import { Button } from '@/components/ui/button';
import type { SliderTask } from '@/lib/contract/shapes/challenge';
import { useSlide } from './use-slide';

interface SliderPuzzleProps {
  task: SliderTask;
  isChecking: boolean;
  onAnswer: (answer: string) => void;
}

const share = (part: number, whole: number) => `${(part / whole) * 100}%`;

/**
 * Shows a picture with a gap and the piece that fills it. The shopper moves the piece with the handle below, by
 * dragging the piece itself, or with keys.
 */
export function SliderPuzzle({ task, isChecking, onAnswer }: SliderPuzzleProps) {
  const t = useTranslations('Challenge');
  const locale = useLocale();
  const { width, height, pieceSize, pieceY, maxX } = task;
  const { x, pointer, onKeyDown, readTrace } = useSlide(task);
  const handle = useRef<HTMLDivElement>(null);
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(x / maxX);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isChecking) return;
    const trace = readTrace();
    // The shopper has not moved the piece yet: sending that would only use the puzzle up.
    if (trace.length < 2) handle.current?.focus();
    else onAnswer(JSON.stringify({ x, trace }));
  };

  return (
    <form method="post" onSubmit={onSubmit} className="grid gap-3">
      <div className="relative overflow-hidden rounded-xl" style={{ aspectRatio: `${width} / ${height}` }}>
        {/* biome-ignore lint/performance/noImgElement: a data address, drawn for this moment */}
        <img src={task.image} alt={t('sliderPicture')} draggable={false} className="size-full select-none" />
        {/* biome-ignore lint/performance/noImgElement: the same */}
        <img
          src={task.piece}
          alt=""
          draggable={false}
          className="absolute cursor-grab touch-none select-none drop-shadow-md active:cursor-grabbing"
          style={{ left: share(x, width), top: share(pieceY, height), width: share(pieceSize, width) }}
          {...pointer}
        />
      </div>
      <div className="relative h-12 rounded-full border border-line bg-sunken">
        <div
          ref={handle}
          role="slider"
          tabIndex={0}
          aria-label={t('sliderLabel')}
          aria-describedby="slider-hint"
          aria-valuemin={0}
          aria-valuemax={maxX}
          aria-valuenow={x}
          aria-valuetext={t('sliderAt', { percent })}
          className="absolute -top-px flex h-12 w-16 cursor-grab touch-none select-none items-center justify-center rounded-full bg-accent font-bold text-lg text-on-accent active:cursor-grabbing"
          style={{ left: `calc((100% - 4rem) * ${x / maxX})` }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.closest('form')?.requestSubmit();
            onKeyDown(event);
          }}
          {...pointer}
        >
          <span aria-hidden="true">⇄</span>
        </div>
      </div>
      <p id="slider-hint" className="text-muted text-sm">
        {t('sliderHint')}
      </p>
      <Button type="submit" tone="primary" isBusy={isChecking}>
        {t(isChecking ? 'checking' : 'check')}
      </Button>
    </form>
  );
}
