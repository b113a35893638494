'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import type { ArithmeticTask } from '@/components/api/types';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';

interface ArithmeticPuzzleProps {
  task: ArithmeticTask;
  isChecking: boolean;
  onAnswer: (answer: string) => void;
}

/** A sum as a picture, and a field for what it comes to. */
export function ArithmeticPuzzle({ task, isChecking, onAnswer }: ArithmeticPuzzleProps) {
  const t = useTranslations('Challenge');
  const field = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState('');

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isChecking) return;
    if (answer.trim() === '') field.current?.focus();
    else onAnswer(answer.trim());
  };

  return (
    <form method="post" onSubmit={onSubmit} className="grid gap-3">
      {/* biome-ignore lint/performance/noImgElement: a data address, drawn for this moment */}
      <img
        src={task.image}
        alt={t('arithmeticPicture')}
        className="w-full rounded-xl"
        style={{ aspectRatio: `${task.width} / ${task.height}` }}
      />
      <TextField
        ref={field}
        label={t('arithmeticLabel')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        value={answer}
        onChange={({ target }) => setAnswer(target.value)}
      />
      <Button type="submit" tone="primary" isBusy={isChecking}>
        {t(isChecking ? 'checking' : 'check')}
      </Button>
    </form>
  );
}
