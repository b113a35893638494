'use client';

import { useEffect, useRef, useState } from 'react';

/** `silent`: this browser could not play the sound. */
type SoundState = 'ready' | 'playing' | 'silent';

/**
 * Plays a sound that came as a data address, from its beginning, each time the page asks. Uses Web Audio: the page's
 * policy allows media from no source, and Web Audio fetches nothing.
 */
export function useSound(address: string): { state: SoundState; play: () => void } {
  const [state, setState] = useState<SoundState>('ready');
  const context = useRef<AudioContext | null>(null);
  useEffect(() => () => void context.current?.close(), []);

  const play = async () => {
    setState('playing');
    try {
      context.current ??= new AudioContext();
      await context.current.resume();
      const source = context.current.createBufferSource();
      source.buffer = await context.current.decodeAudioData(bytesOf(address));
      source.connect(context.current.destination);
      source.onended = () => setState('ready');
      source.start();
    } catch {
      setState('silent');
    }
  };
  return { state, play: () => void play() };
}

function bytesOf(address: string): ArrayBuffer {
  const text = atob(address.slice(address.indexOf(',') + 1));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer;
}
