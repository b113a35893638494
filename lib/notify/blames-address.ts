/** Statuses (RFC 3463) that blame a full mailbox, the mail's size or content, a server, or the sender. */
const BLAMES_OTHERS = /(?<![\d.])5\.(?:2\.[23]|[367]\.\d{1,3})(?![\d.])/;

/** Tells whether a refusal for good is about the recipient's address, as far as the answer's status says. */
export const blamesAddress = (answer: string): boolean => !BLAMES_OTHERS.test(answer);
