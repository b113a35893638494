export const MIN_PASSWORD_LENGTH = 8;

export interface Credentials {
  email: string;
  password: string;
  name?: string;
}

type FieldProblem = 'emailInvalid' | 'passwordTooShort' | 'passwordMissing' | 'nameMissing';
export type FieldProblems = Partial<Record<keyof Credentials, FieldProblem>>;

/** Matches something before and after one @, and a dot in the host; the server decides in the end. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const isEmail = (text: string): boolean => EMAIL.test(text.trim());

/** Returns what is wrong with a sign-in or registration form, by field, before the form is sent. */
export function checkCredentials(
  { email, password, name }: Credentials,
  mode: 'signIn' | 'register',
): FieldProblems {
  // In the order of the form: the first field with a problem gets the focus.
  const problems: FieldProblems = {};
  if (mode === 'register' && !name?.trim()) problems.name = 'nameMissing';
  if (!isEmail(email)) problems.email = 'emailInvalid';
  if (mode === 'signIn' && password === '') problems.password = 'passwordMissing';
  if (mode === 'register' && password.length < MIN_PASSWORD_LENGTH) problems.password = 'passwordTooShort';
  return problems;
}
