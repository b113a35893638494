import type { ComponentProps } from 'react';
import { TextField } from '@/components/ui/field';

/** Asks for a one-time code or a recovery code. */
export function CodeField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={60}
      className="font-mono"
      {...props}
    />
  );
}
