import { latinDigits } from '@/lib/human-text';

/** Spaces, hyphens and invisible characters, which people and programs put between the signs of a code. */
const BETWEEN = /[\s\p{Pd}\p{Cf}\u2212]/gu;

/** Returns a code as it was made, from what somebody typed: in any script's digits, in groups, in capitals. */
export const typedCode = (text: string): string => latinDigits(text).toLowerCase().replace(BETWEEN, '');
