/** No password has this hash: whoever has it signs in another way, or chooses a password by the link of a mail. */
export const NO_PASSWORD = '!';

/** Tells whether an account can be signed in to by a password at all. */
export const hasPassword = ({ passwordHash }: { passwordHash: string }): boolean =>
  passwordHash !== NO_PASSWORD;
