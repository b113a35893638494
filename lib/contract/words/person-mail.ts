/** The mails that staff can send a person again: to verify the address, to set a password, and about an order. */
export const PERSON_MAILS = ['verification', 'password_reset', 'order'] as const;
