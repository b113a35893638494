import { type ChangeEvent, useId } from 'react';
import { buttonStyle } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';

interface FileButtonProps {
  onFile: (file: File) => void;
  children: string;
}

/** A button that asks for a CSV file. */
export function FileButton({ onFile, children }: FileButtonProps) {
  const id = useId();
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // Otherwise the browser would not report it when the user corrects the file and chooses it again.
    target.value = '';
    if (file) onFile(file);
  };
  return (
    <>
      <input id={id} type="file" accept=".csv,text/csv" onChange={onChange} className="peer sr-only" />
      <label
        htmlFor={id}
        className={cn(
          buttonStyle(),
          'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2',
        )}
      >
        {children}
      </label>
    </>
  );
}
