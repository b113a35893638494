'use client';

import { useTranslations } from 'next-intl';
import { type ChangeEvent, type DragEvent, useId, useRef, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { Picture } from '@/components/sale/picture';
import { Button, buttonStyle } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import { MAX_PICTURES, PICTURE_TYPES } from '@/lib/contract/words/media';
import { moved } from '../kit/moved';
import { PictureRow } from './picture-row';
import type { FailedUpload, Uploads } from './use-uploads';

interface PicturesFieldProps {
  uploads: Uploads;
  /** A drawing, or an address elsewhere; empty: none. Shown where nothing is uploaded. */
  imageUrl: string;
  onImageUrl: (imageUrl: string) => void;
}

/** Shows a product's pictures, with what each shows, and lets the user upload more, order them, or go without. */
export function PicturesField({ uploads, imageUrl, onImageUrl }: PicturesFieldProps) {
  const t = useTranslations('AdminProducts.picture');
  const [inputId, headingId] = [useId(), useId()];
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { pictures, setPictures, progress, failed, done, add } = uploads;
  const onFiles = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    // Otherwise the browser would not report it when the user chooses the same file again.
    target.value = '';
    void add(files);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void add([...event.dataTransfer.files]);
  };
  const remove = (hash: string) => {
    setPictures((now) => now.filter((each) => each.hash !== hash));
    // The button that was pressed goes: a visitor without a mouse would start at the top of the page.
    input.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be a grid in every browser
    <div
      role="group"
      aria-labelledby={headingId}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
      className={cn('grid gap-3 rounded-card', isOver && 'outline-2 outline-accent outline-offset-4')}
    >
      <p id={headingId} className="font-medium">
        {t('label')}
      </p>
      {pictures.length > 0 ? (
        <ol className="grid gap-3">
          {pictures.map((picture, index) => (
            <PictureRow
              key={picture.hash}
              picture={picture}
              number={index + 1}
              isLast={index === pictures.length - 1}
              onAlt={(alt) =>
                setPictures((now) =>
                  now.map((each) => (each.hash === picture.hash ? { ...each, alt } : each)),
                )
              }
              onMove={(by) =>
                setPictures((now) =>
                  moved(
                    now,
                    now.findIndex((each) => each.hash === picture.hash),
                    by,
                  ),
                )
              }
              onRemove={() => remove(picture.hash)}
            />
          ))}
        </ol>
      ) : (
        <div className="w-full max-w-60">
          <Picture src={imageUrl || null} className="rounded-card" />
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        <input
          ref={input}
          id={inputId}
          type="file"
          multiple
          accept={PICTURE_TYPES.join(',')}
          onChange={onFiles}
          className="peer sr-only"
        />
        <label
          htmlFor={inputId}
          data-busy={progress !== null || undefined}
          className={cn(
            buttonStyle(),
            'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2',
          )}
        >
          {t('choose')}
        </label>
        {imageUrl && pictures.length === 0 ? (
          <Button tone="plain" onClick={() => onImageUrl('')}>
            {t('removeOther')}
          </Button>
        ) : null}
      </div>
      <p className="text-muted text-sm">{t('hint', { max: MAX_PICTURES })}</p>
      <p role="status" className="text-muted text-sm empty:hidden">
        {progress ? t('busy', progress) : done > 0 ? t('done', { count: done }) : null}
      </p>
      {failed.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name, and none moves
        <Failed key={index} {...one} />
      ))}
    </div>
  );
}

function Failed({ name, error }: FailedUpload) {
  const t = useTranslations('AdminProducts.picture');
  const problemText = useProblemText();
  const code = problemCode(error);
  const own = code === 'TOO_LARGE' ? 'tooLarge' : code === 'RATE_LIMITED' ? 'tooMany' : null;
  const text = error === null ? t('full', { max: MAX_PICTURES }) : own ? t(own) : problemText(error);
  return <Notice tone="danger">{t('failed', { name, text })}</Notice>;
}
