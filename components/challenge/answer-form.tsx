'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';

interface AnswerFormProps {
  label: string;
  maxLength: number;
  isChecking: boolean;
  onAnswer: (answer: string) => void;
  /** The question. */
  children: ReactNode;
}

/** Shows a question and a field for the number that answers it. */
export function AnswerForm({ label, maxLength, isChecking, onAnswer, children }: AnswerFormProps) {
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
      {children}
      <TextField
        ref={field}
        label={label}
        inputMode="numeric"
        autoComplete="off"
        maxLength={maxLength}
        value={answer}
        onChange={({ target }) => setAnswer(target.value)}
      />
      <Button type="submit" tone="primary" isBusy={isChecking}>
        {t(isChecking ? 'checking' : 'check')}
      </Button>
    </form>
  );
}
