'use client';

import { useCallback, useEffect, useRef, useState } from 'react';

const TONE_MS = 180;

/** Sounds two soft tones and lets the phone tremble, where the browser may. */
function ring(audio: AudioContext | null): void {
  navigator.vibrate?.([200, 100, 200]);
  if (!audio) return;
  void audio.resume();
  [660, 880].forEach((frequency, at) => {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const from = audio.currentTime + at * 0.25;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.15, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + TONE_MS / 1_000);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + TONE_MS / 1_000);
  });
}

/**
 * Calls the shopper when the turn comes, if asked to: browsers allow a sound only after a press, so the press that asks for
 * it also tries it out.
 * @returns whether it will, and the switch
 */
export function useTurnSignal(isTurn: boolean): { isOn: boolean; toggle: () => void } {
  const [isOn, setIsOn] = useState(false);
  const audio = useRef<AudioContext | null>(null);
  useEffect(() => {
    if (isTurn && isOn) ring(audio.current);
  }, [isTurn, isOn]);
  useEffect(() => () => void audio.current?.close(), []);
  const toggle = useCallback(() => {
    setIsOn((was) => {
      if (!was && typeof AudioContext === 'function') {
        audio.current ??= new AudioContext();
        ring(audio.current);
      }
      return !was;
    });
  }, []);
  return { isOn, toggle };
}

const dotIcon = (colour: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${colour}"/></svg>`)}`;

/**
 * Shows in the tab's title how things stand, and at one's turn also in its icon, for people who look at another tab.
 * @param words stands before the page's own title; null: the page's own alone
 */
export function useTabTitle(words: string | null, isTurn: boolean): void {
  useEffect(() => {
    if (words === null) return;
    const own = document.title;
    document.title = `${words} · ${own}`;
    return () => {
      document.title = own;
    };
  }, [words]);
  useEffect(() => {
    if (!isTurn) return;
    const icon = document.createElement('link');
    Object.assign(icon, { rel: 'icon', type: 'image/svg+xml', href: dotIcon('#15803d') });
    document.head.append(icon);
    return () => icon.remove();
  }, [isTurn]);
}
