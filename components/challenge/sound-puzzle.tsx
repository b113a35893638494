'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import type { SoundTask } from '@/components/api/types';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { useSound } from './use-sound';

interface SoundPuzzleProps {
  task: SoundTask;
  isChecking: boolean;
  onAnswer: (answer: string) => void;
}

/** Groups of beeps to be counted, and a field for how many they were. Plays when it is asked to, as often as it is. */
export function SoundPuzzle({ task, isChecking, onAnswer }: SoundPuzzleProps) {
  const t = useTranslations('Challenge');
  const field = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState('');
  const { state, play } = useSound(task.sound);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isChecking) return;
    if (answer.trim() === '') field.current?.focus();
    else onAnswer(answer.trim());
  };

  return (
    <form method="post" onSubmit={onSubmit} className="grid gap-3">
      <p>{t('soundText', { groups: task.groups })}</p>
      <Button onClick={play} isBusy={state === 'playing'}>
        {t(state === 'playing' ? 'soundPlaying' : 'soundPlay')}
      </Button>
      {state === 'silent' ? <p role="alert">{t('soundSilent')}</p> : null}
      <TextField
        ref={field}
        label={t('soundLabel', { groups: task.groups })}
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        value={answer}
        onChange={({ target }) => setAnswer(target.value)}
      />
      <Button type="submit" tone="primary" isBusy={isChecking}>
        {t(isChecking ? 'checking' : 'check')}
      </Button>
    </form>
  );
}
