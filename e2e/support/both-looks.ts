/**
 * The two ways in which a story about an account is told: in English on a wide page, in Chinese on a phone. What is said
 * where is each story's own.
 */
export const BOTH_LOOKS = [
  { language: 'English', path: '', viewport: { width: 1280, height: 800 } },
  { language: 'Chinese', path: '/zh-CN', viewport: { width: 390, height: 844 } },
] as const;
